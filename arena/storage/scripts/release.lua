-- Give up an attempt: hosted -> ready, or parked after so many tries.
-- KEYS: flight (hash), ended (hash), ready (zset), queued (zset)
-- ARGV: match number, match id, attempt, park after so many tries (0: handed back unharmed, counts as no try)
-- Returns {1, new state}, or {0, what the match is now} when a later attempt holds it or it has ended.
-- Repeating it, or releasing what the sweep has released already, returns {1, state}.
-- The set arena:hosted:REFEREE is named here, from the row of flight.
local row = redis.call('HGET', KEYS[1], ARGV[1])
if not row then
  return {0, redis.call('HGET', KEYS[2], ARGV[1]) or 'planned'}
end
local state, attempt, tries, owner = string.match(row, '^(%S+) (%d+) (%d+) (%S+)')
if attempt ~= ARGV[3] then
  return {0, row}
end
if state ~= 'hosted' then
  return {1, state}
end
tries = tonumber(tries)
local limit = tonumber(ARGV[4])
if limit == 0 then
  tries = tries - 1
end
state = (limit > 0 and tries >= limit) and 'parked' or 'ready'
redis.call('HSET', KEYS[1], ARGV[1], table.concat({state, attempt, tries, '-', '-'}, ' '))
redis.call('SREM', 'arena:hosted:' .. owner, ARGV[2])
if state == 'ready' then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[3], now, ARGV[2])
  redis.call('ZADD', KEYS[4], now, ARGV[2])
end
return {1, state}
