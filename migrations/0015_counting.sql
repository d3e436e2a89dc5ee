-- The processes that count requests: when each was last seen, by the database's clock in milliseconds, the Redis that it
-- can reach, and the last generation that it has joined.
CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  seen_at BIGINT NOT NULL,
  redis_id TEXT,
  generation BIGINT NOT NULL
);

-- Where all of them count: in the Redis with this id, or in the database if it is null. A new generation begins whenever
-- that changes, and is settled once every process has joined it.
CREATE TABLE counting (
  only_row INTEGER PRIMARY KEY DEFAULT 1 CHECK (only_row = 1),
  generation BIGINT NOT NULL,
  redis_id TEXT,
  is_settled INTEGER NOT NULL,
  changed_at BIGINT NOT NULL
);

INSERT INTO counting (generation, is_settled, changed_at) VALUES (1, 1, 0);
