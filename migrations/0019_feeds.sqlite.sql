-- Addresses from which files are imported periodically. An address may contain a password: `sealed_url` is encrypted, and
-- `shown_url` has no secrets. `options` is JSON: the options of the import. `etag` and `last_modified` are what the
-- server said about the file that the run `imported_run_id` imported.
CREATE TABLE feeds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  sealed_url TEXT NOT NULL,
  shown_url TEXT NOT NULL,
  every_minutes INTEGER NOT NULL,
  options TEXT NOT NULL,
  who TEXT NOT NULL,
  created_at TEXT NOT NULL,
  due_at TEXT NOT NULL,
  is_paused INTEGER NOT NULL,
  etag TEXT,
  last_modified TEXT,
  imported_run_id INTEGER,
  ran_at TEXT,
  result TEXT,
  message TEXT,
  run_id INTEGER,
  failures INTEGER NOT NULL,
  told_at TEXT
);
