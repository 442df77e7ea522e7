-- Put the matches of referees whose heartbeat ran out back to ready, or park them.
-- KEYS: sweep (hash), referees (zset), rows (hash), presences (hash), ready (zset), queued (zset)
-- ARGV: lease in milliseconds, park after so many tries
-- Returns {referee, row or '', put back, parked} for each that was found dead now or still held matches; none while it
-- waits.
-- It waits for one lease after Redis started, or after a gap of one lease in the sweeping itself: heartbeats that
-- could not be heard say nothing. Dead referees are forgotten after an hour, their rows at once: who has one was alive at
-- the last sweep.
-- The keys arena:hosted:REFEREE and arena:flight:TOURNAMENT are named here, from the referees and their matches.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[1])
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local last = redis.call('HMGET', KEYS[1], 'run', 'swept', 'since')
local since = tonumber(last[3] or 0) or now
if last[1] ~= run or now - (tonumber(last[2] or 0) or 0) > lease then
  since = now
end
redis.call('HSET', KEYS[1], 'run', run, 'swept', now, 'since', since)
if now - since < lease then
  return {}
end
local lost = {}
for _, referee in ipairs(redis.call('ZRANGE', KEYS[2], '-inf', now, 'BYSCORE')) do
  local hosted = 'arena:hosted:' .. referee
  local known = redis.call('HGET', KEYS[3], referee) or ''
  local back, parked = 0, 0
  -- What is damaged (no set, no match id, no hash) hosts nothing, and must not keep the others from being swept.
  for _, match in ipairs(redis.pcall('SMEMBERS', hosted)) do
    local tournament, number = string.match(match, '^(.*)%.(%d+)$')
    local flight = 'arena:flight:' .. (tournament or '')
    local row = redis.pcall('HGET', flight, number or '')
    if type(row) ~= 'string' then
      row = ''
    end
    local state, attempt, tries, owner = string.match(row, '^(%S+) (%d+) (%d+) (%S+)')
    if state == 'hosted' and owner == referee then
      state = tonumber(tries) >= tonumber(ARGV[2]) and 'parked' or 'ready'
      redis.call('HSET', flight, number, table.concat({state, attempt, tries, '-', '-'}, ' '))
      if state == 'ready' then
        redis.call('ZADD', KEYS[5], now, match)
        redis.call('ZADD', KEYS[6], 0, match)
        back = back + 1
      else
        parked = parked + 1
      end
    end
  end
  redis.call('UNLINK', hosted)
  redis.call('HDEL', KEYS[3], referee)
  if known ~= '' or back + parked > 0 then
    lost[#lost + 1] = {referee, known, back, parked}
  end
  if now - redis.call('ZSCORE', KEYS[2], referee) > 3600000 then
    redis.call('ZREM', KEYS[2], referee)
    redis.call('HDEL', KEYS[4], referee)
  end
end
return lost
