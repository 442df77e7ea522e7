-- Store a new token.
-- KEYS: tokens (hash), ids (hash), order (list)
-- ARGV: digest, id, row
-- Returns 1. Repeating the call changes nothing.
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[3]) == 1 then
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
  redis.call('RPUSH', KEYS[3], ARGV[1])
end
return 1
