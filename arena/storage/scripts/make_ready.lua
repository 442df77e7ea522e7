-- Put planned matches of a running tournament in line.
-- KEYS: tournament (hash), flight (hash), ended (hash), ready (zset), queued (zset)
-- ARGV: tournament id, match numbers ...
-- Returns the numbers that were put in line; known matches are left as they are, and none are taken unless it runs.
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then
  return {}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local made = {}
for i = 2, #ARGV do
  local number = ARGV[i]
  if redis.call('HEXISTS', KEYS[3], number) == 0 and redis.call('HSETNX', KEYS[2], number, 'ready 0 0 - -') == 1 then
    local match = ARGV[1] .. '.' .. number
    redis.call('ZADD', KEYS[4], now, match)
    redis.call('ZADD', KEYS[5], now, match)
    made[#made + 1] = number
  end
end
return made
