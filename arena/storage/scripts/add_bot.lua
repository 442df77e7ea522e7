-- Store a new bot of an owner who must exist, under a name that must be free among that owner's bots.
-- KEYS: bots (hash), names (hash), order (list), owners (hash)
-- ARGV: id, owner's id, name as it stands in names, row
-- Returns 1; 0 when another bot has the name; -1 without the owner. Repeating the call changes nothing and returns 1.
if redis.call('HEXISTS', KEYS[4], ARGV[2]) == 0 then
  return -1
end
local holder = redis.call('HGET', KEYS[2], ARGV[3])
if holder then
  return holder == ARGV[1] and 1 or 0
end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
redis.call('RPUSH', KEYS[3], ARGV[1])
return 1
