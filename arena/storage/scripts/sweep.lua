-- Put the matches of referees whose heartbeat ran out back to ready, or park them.
-- KEYS: sweep (hash), referees (zset), rows (hash), presences (hash), ready (zset), queued (zset)
-- ARGV: lease in milliseconds, park after so many tries
-- Returns how many matches were put back or parked; -1 while it waits.
-- It waits for one lease after Redis started, or after a gap of one lease in the sweeping itself: heartbeats that
-- could not be heard say nothing. Dead referees are forgotten after an hour.
-- The keys arena:hosted:REFEREE and arena:flight:TOURNAMENT are named here, from the referees and their matches.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[1])
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local last = redis.call('HMGET', KEYS[1], 'run', 'swept', 'since')
local since = tonumber(last[3] or 0)
if last[1] ~= run or now - tonumber(last[2]) > lease then
  since = now
end
redis.call('HSET', KEYS[1], 'run', run, 'swept', now, 'since', since)
if now - since < lease then
  return -1
end
local swept = 0
for _, referee in ipairs(redis.call('ZRANGE', KEYS[2], '-inf', now, 'BYSCORE')) do
  local hosted = 'arena:hosted:' .. referee
  for _, match in ipairs(redis.call('SMEMBERS', hosted)) do
    local tournament, number = string.match(match, '^(.*)%.(%d+)$')
    local flight = 'arena:flight:' .. tournament
    local row = redis.call('HGET', flight, number)
    local state, attempt, tries, owner = string.match(row or '', '^(%S+) (%d+) (%d+) (%S+)')
    if state == 'hosted' and owner == referee then
      state = tonumber(tries) >= tonumber(ARGV[2]) and 'parked' or 'ready'
      redis.call('HSET', flight, number, table.concat({state, attempt, tries, '-', '-'}, ' '))
      if state == 'ready' then
        redis.call('ZADD', KEYS[5], now, match)
        redis.call('ZADD', KEYS[6], 0, match)
      end
      swept = swept + 1
    end
  end
  redis.call('UNLINK', hosted)
  if now - redis.call('ZSCORE', KEYS[2], referee) > 3600000 then
    redis.call('ZREM', KEYS[2], referee)
    redis.call('HDEL', KEYS[3], referee)
    redis.call('HDEL', KEYS[4], referee)
  end
end
return swept
