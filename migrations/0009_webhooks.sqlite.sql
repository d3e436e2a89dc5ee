-- Whom events are sent to. The upper half is the customer's, the lower half is where sending stands.
CREATE TABLE webhook_endpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  endpoint_url TEXT NOT NULL,
  events TEXT NOT NULL,
  filter TEXT,
  description TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
  secret TEXT NOT NULL,
  old_secret TEXT,
  old_secret_until TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- The last event that was recorded for it; before the first, how far the log had come when it was made.
  last_sequence BIGINT NOT NULL,
  -- When there is something to send; null while there is nothing, or while it must not be sent.
  due_at TEXT,
  -- Raised by whatever gives it something to send, so that a sender who has found nothing more can tell.
  wakes BIGINT NOT NULL DEFAULT 0,
  -- A sender has it until then.
  claimed_until TEXT,
  claimed_by TEXT,
  last_success_at TEXT,
  last_failure_at TEXT,
  consecutive_failures INTEGER NOT NULL DEFAULT 0,
  failing_since TEXT,
  -- While it is down: when the next event is tried.
  probe_at TEXT,
  -- Whether its account may have it: changes that come while it may not are not recorded for it.
  is_entitled INTEGER NOT NULL DEFAULT 1,
  -- Why it is disabled, until its owner has been told.
  notice TEXT
);
CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id);
CREATE INDEX webhook_endpoints_due ON webhook_endpoints (due_at) WHERE due_at IS NOT NULL;

-- How far the log has been turned into deliveries, and how often the endpoints have been changed: whoever writes
-- either holds this row, so that an endpoint gets every change that is made after it.
CREATE TABLE webhook_fan_out (
  only_row INTEGER PRIMARY KEY DEFAULT 1 CHECK (only_row = 1),
  sequence BIGINT NOT NULL,
  endpoints_version BIGINT NOT NULL
);
INSERT INTO webhook_fan_out (sequence, endpoints_version) VALUES (0, 0);

-- What is sent, once for all endpoints. `body` is the JSON of what `data` has besides the sequences.
CREATE TABLE webhook_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL,
  sequence BIGINT,
  type TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL
);

-- One for each event and endpoint. Those of one subject (a watch) are sent in order of the event: one that waits behind
-- another has no next attempt.
CREATE TABLE webhook_deliveries (
  endpoint_id BIGINT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id BIGINT NOT NULL,
  subject TEXT NOT NULL,
  previous_sequence BIGINT,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
  -- All that were made, and those since it was last asked to be sent.
  attempts INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT,
  last_attempt_at TEXT,
  PRIMARY KEY (endpoint_id, event_id)
) WITHOUT ROWID;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (status, endpoint_id, event_id) WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_behind ON webhook_deliveries (endpoint_id, subject)
WHERE status = 'waiting' AND next_attempt_at IS NULL;
-- Tests, which follow nothing: they go before all else.
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (status, previous_sequence, endpoint_id, event_id)
WHERE status = 'waiting' AND previous_sequence IS NULL;

-- Few of them wait, which SQLite cannot know: without this it would look through all that were ever sent.
ANALYZE webhook_deliveries;
DELETE FROM sqlite_stat1 WHERE tbl = 'webhook_deliveries';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('webhook_deliveries', 'webhook_deliveries', '1000000 100000 1'),
  ('webhook_deliveries', 'webhook_deliveries_waiting', '10000 10000 100 1'),
  ('webhook_deliveries', 'webhook_deliveries_behind', '1000 100 10'),
  ('webhook_deliveries', 'webhook_deliveries_tests', '10 10 10 2 1');

-- What became of each attempt. `error` says why there was no answer, or why it does not count.
CREATE TABLE webhook_attempts (
  endpoint_id BIGINT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id BIGINT NOT NULL,
  attempt INTEGER NOT NULL,
  at TEXT NOT NULL,
  endpoint_url TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  response_status INTEGER,
  response_body TEXT,
  error TEXT,
  PRIMARY KEY (endpoint_id, event_id, attempt)
) WITHOUT ROWID;

-- Answers to requests that had an Idempotency-Key, for a day. `answer` is sealed: it may hold a secret.
CREATE TABLE idempotency_keys (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  request_digest TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
