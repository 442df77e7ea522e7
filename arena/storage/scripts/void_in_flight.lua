-- End all ready, hosted and parked matches of a tournament without result: -> void.
-- KEYS: flight (hash), ended (hash), ready (zset), queued (zset), checkpoints (hash)
-- ARGV: tournament id
-- Returns how many.
-- The sets arena:hosted:REFEREE are named here, from the rows of flight.
local rows = redis.call('HGETALL', KEYS[1])
for i = 1, #rows, 2 do
  local match = ARGV[1] .. '.' .. rows[i]
  -- nil for a damaged row, which ends like the others
  local attempt, owner = string.match(rows[i + 1], '^%S+ (%d+) %d+ (%S+)')
  redis.call('HSET', KEYS[2], rows[i], 'void ' .. (attempt or 0))
  redis.call('ZREM', KEYS[3], match)
  redis.call('ZREM', KEYS[4], match)
  if owner and owner ~= '-' then
    redis.call('SREM', 'arena:hosted:' .. owner, match)
  end
end
redis.call('UNLINK', KEYS[1], KEYS[5])
return #rows / 2
