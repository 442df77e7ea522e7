-- Keep the root of a tournament's deal secrets, unless it has one already.
-- KEYS: tournament (hash), secret (string)
-- ARGV: root
-- Returns the root that is kept, the first that was put; nil without the tournament. May be repeated.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return nil
end
redis.call('SET', KEYS[2], ARGV[1], 'NX')
return redis.call('GET', KEYS[2])
