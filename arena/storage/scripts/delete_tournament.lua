-- Remove a tournament whose state is still the expected one, all that is stored about its matches, and its secret.
-- KEYS: tournament (hash), names (hash), order (list), flight (hash), ready (zset), queued (zset),
--       then the other keys of this tournament, which are just removed
-- ARGV: id, expected state
-- Returns {1}; {0, stored state} when it is another; {-1} without the tournament.
-- The sets arena:hosted:REFEREE are named here, from the rows of flight.
local stored = redis.call('HMGET', KEYS[1], 'name', 'state')
local name = stored[1]
if not name then
  return {-1}
end
if stored[2] ~= ARGV[2] then
  return {0, stored[2]}
end
local rows = redis.call('HGETALL', KEYS[4])
for i = 1, #rows, 2 do
  local match = ARGV[1] .. '.' .. rows[i]
  local owner = string.match(rows[i + 1], '^%S+ %d+ %d+ (%S+) %S+$')
  redis.call('ZREM', KEYS[5], match)
  redis.call('ZREM', KEYS[6], match)
  if owner and owner ~= '-' then
    redis.call('SREM', 'arena:hosted:' .. owner, match)
  end
end
redis.call('HDEL', KEYS[2], name)
redis.call('LREM', KEYS[3], 0, ARGV[1])
redis.call('UNLINK', KEYS[1], KEYS[4])
for i = 7, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
return {1}
