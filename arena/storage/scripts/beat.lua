-- Say that a referee lives, for a while from now by Redis' clock.
-- KEYS: referees (zset), rows (hash)
-- ARGV: referee id, row, milliseconds
-- Returns 1.
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
