-- Store a tournament's row if its state is still the expected one, and nobody has changed it since it was read.
-- KEYS: tournament (hash), names (hash)
-- ARGV: id, name, expected state, new state, new row, revision as read (empty: whichever)
-- Returns {1}; {0, stored state} when it is another; {-1} without the tournament; {-2} when the new name is taken;
-- {-3} when somebody was faster.
-- Repeating a call that was done returns {1}.
local stored = redis.call('HMGET', KEYS[1], 'state', 'name', 'row', 'revision')
if not stored[1] then
  return {-1}
end
local revision = tonumber(stored[4] or 0)
local expected = tonumber(ARGV[6])
if stored[1] == ARGV[4] and stored[3] == ARGV[5] and (not expected or revision == expected + 1) then
  return {1}
end
if stored[1] ~= ARGV[3] then
  return {0, stored[1]}
end
if expected and revision ~= expected then
  return {-3}
end
if stored[2] ~= ARGV[2] then
  if redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[1]) == 0 then
    return {-2}
  end
  redis.call('HDEL', KEYS[2], stored[2])
end
redis.call('HSET', KEYS[1], 'name', ARGV[2], 'state', ARGV[4], 'row', ARGV[5], 'revision', revision + 1)
return {1}
