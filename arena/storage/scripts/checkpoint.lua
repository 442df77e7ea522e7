-- Keep where a hosted match stands.
-- KEYS: flight (hash), ended (hash), checkpoints (hash)
-- ARGV: match number, attempt, blob
-- Returns nil, or what the match is now when the attempt no longer holds it.
local row = redis.call('HGET', KEYS[1], ARGV[1])
if not row or string.match(row, '^(%S+ %d+)') ~= 'hosted ' .. ARGV[2] then
  return row or redis.call('HGET', KEYS[2], ARGV[1]) or 'planned'
end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
return nil
