-- Store a new tournament under a name that must be free.
-- KEYS: tournament (hash), names (hash), order (list)
-- ARGV: id, name, state, row
-- Returns 1; 0 when another tournament has the name. Repeating the call for the same id returns 1.
local holder = redis.call('HGET', KEYS[2], ARGV[2])
if holder then
  return holder == ARGV[1] and 1 or 0
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[1], 'name', ARGV[2], 'state', ARGV[3], 'row', ARGV[4], 'deals', 0)
redis.call('LPUSH', KEYS[3], ARGV[1])
return 1
