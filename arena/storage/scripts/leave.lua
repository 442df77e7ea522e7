-- Forget a referee. One that still hosts matches is only declared dead, so that the sweep hands them on.
-- KEYS: referees (zset), rows (hash), presences (hash), hosted by it (set)
-- ARGV: referee id
-- Returns how many matches it still hosted.
local left = redis.call('SCARD', KEYS[4])
redis.call('HDEL', KEYS[3], ARGV[1])
if left > 0 then
  redis.call('ZADD', KEYS[1], redis.call('TIME')[1] * 1000, ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
end
return left
