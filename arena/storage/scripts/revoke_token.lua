-- Mark a token revoked.
-- KEYS: ids (hash), revoked (set)
-- ARGV: id
-- Returns 1; 0 without the token.
local digest = redis.call('HGET', KEYS[1], ARGV[1])
if not digest then
  return 0
end
redis.call('SADD', KEYS[2], digest)
return 1
