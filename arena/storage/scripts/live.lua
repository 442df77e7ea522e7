-- Return what is known of the live referees.
-- KEYS: referees (zset), rows or presences (hash)
-- ARGV: none
-- Returns the values of those whose heartbeat has not run out and that have one.
local time = redis.call('TIME')
local ids = redis.call('ZRANGE', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000), '+inf', 'BYSCORE')
local found = {}
for _, id in ipairs(ids) do
  local value = redis.call('HGET', KEYS[2], id)
  if value then
    found[#found + 1] = value
  end
end
return found
