-- Give a ready match of a running tournament to a referee: ready -> hosted, attempt + 1.
-- KEYS: tournament (hash), flight (hash), ready (zset), queued (zset), checkpoints (hash), hosted by it (set),
--       referees (zset)
-- ARGV: match number, match id, referee id, nonce of this call
-- Returns {attempt, checkpoint or nil}, or nil when the match is not to be had.
-- A call whose answer was lost may be repeated with the same nonce: it gets the same answer.
local row = redis.call('HGET', KEYS[2], ARGV[1])
if not row then
  return nil
end
local state, attempt, tries, owner, nonce = string.match(row, '^(%S+) (%d+) (%d+) (%S+) (%S+)$')
if state == 'hosted' and owner == ARGV[3] and nonce == ARGV[4] then
  return {tonumber(attempt), redis.call('HGET', KEYS[5], ARGV[1])}
end
if state ~= 'ready' or redis.call('HGET', KEYS[1], 'state') ~= 'running' then
  return nil
end
local checkpoint = redis.call('HGET', KEYS[5], ARGV[1])  -- first: what fails has written nothing
attempt = tonumber(attempt) + 1
redis.call('HSET', KEYS[2], ARGV[1], table.concat({'hosted', attempt, tonumber(tries) + 1, ARGV[3], ARGV[4]}, ' '))
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('SADD', KEYS[6], ARGV[2])
-- A referee that was given up but takes matches again: known from here on, so that the sweep looks after this match,
-- and alive from its next heartbeat.
redis.call('ZADD', KEYS[7], 'NX', redis.call('TIME')[1] * 1000, ARGV[3])
return {attempt, checkpoint}
