-- Return the tournaments in some states, the newest first.
-- KEYS: order (list)
-- ARGV: states ...
-- Returns {{row, state, revision or false}, ...}.
-- The hashes arena:tournament:ID are named here, from the order.
local wanted = {}
for _, state in ipairs(ARGV) do
  wanted[state] = true
end
local found = {}
for _, ident in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local key = 'arena:tournament:' .. ident
  if wanted[redis.call('HGET', key, 'state')] then
    found[#found + 1] = redis.call('HMGET', key, 'row', 'state', 'revision')
  end
end
return found
