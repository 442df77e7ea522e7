-- Return the tournaments in some states, the newest first.
-- KEYS: order (list)
-- ARGV: states ...
-- Returns {{id, row, state, revision or false}, ...}.
-- The hashes arena:tournament:ID are named here, from the order. What is no hash has no state.
local wanted = {}
for _, state in ipairs(ARGV) do
  wanted[state] = true
end
local found = {}
for _, ident in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local key = 'arena:tournament:' .. ident
  -- false where there is none, a table where it is no hash: neither is wanted
  if wanted[redis.pcall('HGET', key, 'state')] then
    found[#found + 1] = {ident, unpack(redis.call('HMGET', key, 'row', 'state', 'revision'))}
  end
end
return found
