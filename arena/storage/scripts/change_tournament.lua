-- Store a tournament's row if its state is still the expected one.
-- KEYS: tournament (hash), names (hash)
-- ARGV: id, name, expected state, new state, new row
-- Returns {1}; {0, stored state} when it is another; {-1} without the tournament; {-2} when the new name is taken.
-- Repeating a call that was done returns {1}.
local stored = redis.call('HMGET', KEYS[1], 'state', 'name', 'row')
if not stored[1] then
  return {-1}
end
if stored[1] ~= ARGV[3] then
  if stored[1] == ARGV[4] and stored[3] == ARGV[5] then
    return {1}
  end
  return {0, stored[1]}
end
if stored[2] ~= ARGV[2] then
  if redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[1]) == 0 then
    return {-2}
  end
  redis.call('HDEL', KEYS[2], stored[2])
end
redis.call('HSET', KEYS[1], 'name', ARGV[2], 'state', ARGV[4], 'row', ARGV[5])
return {1}
