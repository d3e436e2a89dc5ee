ALTER TABLE accounts ADD COLUMN status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended'));
ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'consumer' CHECK (role IN ('consumer', 'operator'));

-- The last characters of a key, by which its owner tells it from others.
ALTER TABLE api_keys ADD COLUMN hint TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN last_used_at TEXT;
CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- What was counted for each subject (an account) on each UTC day. `direct_until` is set by a process that counts here
-- because it cannot reach Redis: until then, in milliseconds of the database's clock, all processes count here.
CREATE TABLE daily_counts (
  subject TEXT NOT NULL,
  day TEXT NOT NULL,
  used BIGINT NOT NULL,
  direct_until BIGINT,
  PRIMARY KEY (subject, day)
);

-- Every change of plan: who made it and when. `old_plan` is null for the plan an account began with.
CREATE TABLE plan_changes (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  old_plan TEXT,
  new_plan TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  changed_by TEXT NOT NULL
);
CREATE INDEX plan_changes_by_account ON plan_changes (account_id, changed_at);

-- What a customer asked for. At most one request of an account waits.
CREATE TABLE plan_requests (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  plan TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'granted', 'declined', 'withdrawn')),
  asked_at TEXT NOT NULL,
  decided_at TEXT,
  decided_by TEXT
);
CREATE UNIQUE INDEX plan_requests_waiting ON plan_requests (account_id) WHERE status = 'pending';
