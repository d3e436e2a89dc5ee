-- The newest calls of each account. `id` begins with the time, so that in its order calls of several processes are in
-- theirs; `path` is as it was asked for, without keys.
CREATE TABLE requests (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  at TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  duration_ms DOUBLE PRECISION NOT NULL,
  request_id TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
);

-- How many of the account's calls had which status on each UTC day, those that cost nothing among them.
CREATE TABLE daily_statuses (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  status INTEGER NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (account_id, day, status)
);
CREATE INDEX daily_statuses_by_day ON daily_statuses (day);
