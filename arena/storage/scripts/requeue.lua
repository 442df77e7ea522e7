-- Pick ready matches that were put on the work queue a while ago, or never, to be put there again.
-- KEYS: queued (zset)
-- ARGV: milliseconds since it was put there, at least; how many at most
-- Returns their match ids, and notes that they are put on the queue now.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local matches = redis.call('ZRANGE', KEYS[1], '-inf', now - ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, match in ipairs(matches) do
  redis.call('ZADD', KEYS[1], now, match)
end
return matches
