-- Store the result and the record of a hosted match, once: hosted -> done.
-- KEYS: tournament (hash), flight (hash), ended (hash), results (hash), records (hash), checkpoints (hash),
--       faulty (hash)
-- ARGV: match number, match id, attempt, result row, record blob, deals, then for each bot its id and 1 if it has
--       spoilt the match, else 0
-- Returns nil, or what the match is now when the attempt no longer holds it.
-- Repeating the commit of the attempt whose result is stored changes nothing and returns nil.
-- The set arena:hosted:REFEREE is named here, from the row of flight.
local ended = redis.call('HGET', KEYS[3], ARGV[1])
if ended then
  if ended == 'done ' .. ARGV[3] then
    return nil
  end
  return ended
end
local row = redis.call('HGET', KEYS[2], ARGV[1])
if not row or string.match(row, '^(%S+ %d+)') ~= 'hosted ' .. ARGV[3] then
  return row or 'planned'
end
-- What makes the match done comes last: if a damaged key makes this fail before, another attempt writes it all again.
redis.call('HSET', KEYS[5], ARGV[1], ARGV[5])
redis.call('HSET', KEYS[4], ARGV[1], ARGV[4])
redis.call('HINCRBY', KEYS[1], 'deals', ARGV[6])
for at = 7, #ARGV, 2 do
  if ARGV[at + 1] == '1' then
    redis.call('HINCRBY', KEYS[7], ARGV[at], 1)
  else
    redis.call('HDEL', KEYS[7], ARGV[at])
  end
end
redis.call('HDEL', KEYS[6], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], 'done ' .. ARGV[3])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('SREM', 'arena:hosted:' .. string.match(row, '^%S+ %d+ %d+ (%S+)'), ARGV[2])
return nil
