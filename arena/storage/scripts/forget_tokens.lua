-- Forget tokens, as if they had never been.
-- KEYS: tokens (hash), ids (hash), order (list), revoked (set)
-- ARGV: token ids ...
-- Returns how many there were. Repeating the call changes nothing.
local forgotten = 0
for _, ident in ipairs(ARGV) do
  local digest = redis.call('HGET', KEYS[2], ident)
  if digest then
    redis.call('HDEL', KEYS[1], digest)
    redis.call('HDEL', KEYS[2], ident)
    redis.call('LREM', KEYS[3], 1, digest)
    redis.call('SREM', KEYS[4], digest)
    forgotten = forgotten + 1
  end
end
return forgotten
