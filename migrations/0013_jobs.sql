-- Periodic work of the whole service: when each job is due, and which process runs it now. A claim that has expired belongs
-- to a process that died; `last_run_at` is when the last complete run began.
CREATE TABLE jobs (
  name TEXT PRIMARY KEY,
  due_at TEXT NOT NULL,
  claimed_by TEXT,
  claimed_until TEXT,
  last_run_at TEXT
);

-- Old counts are deleted by day.
CREATE INDEX daily_counts_by_day ON daily_counts (day);
