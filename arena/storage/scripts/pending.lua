-- Count the ready matches and tell the age of the oldest.
-- KEYS: ready (zset)
-- ARGV: none
-- Returns {count, age in milliseconds}.
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if not oldest[1] then
  return {0, 0}
end
local time = redis.call('TIME')
return {redis.call('ZCARD', KEYS[1]), time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(oldest[2])}
