-- Make all parked matches of a tournament ready, their tries counted anew.
-- KEYS: flight (hash), ready (zset), queued (zset)
-- ARGV: tournament id
-- Returns the numbers that were parked.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rows = redis.call('HGETALL', KEYS[1])
local made = {}
for i = 1, #rows, 2 do
  local state, attempt = string.match(rows[i + 1], '^(%S+) (%d+)')
  if state == 'parked' then
    local match = ARGV[1] .. '.' .. rows[i]
    redis.call('HSET', KEYS[1], rows[i], 'ready ' .. attempt .. ' 0 - -')
    redis.call('ZADD', KEYS[2], now, match)
    redis.call('ZADD', KEYS[3], now, match)
    made[#made + 1] = rows[i]
  end
end
return made
