-- Store a new thing under a name that must be free.
-- KEYS: rows (hash), names (hash), order (list)
-- ARGV: id, name as it stands in names, row
-- Returns 1; 0 when another id has the name. Repeating the call for the same id changes nothing and returns 1.
local holder = redis.call('HGET', KEYS[2], ARGV[2])
if holder then
  return holder == ARGV[1] and 1 or 0
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('RPUSH', KEYS[3], ARGV[1])
return 1
