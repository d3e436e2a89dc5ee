-- Addresses from which files are imported periodically. `options` is JSON: the options of the import. `etag` and
-- `last_modified` are what the server said about the file that was imported last.
CREATE TABLE feeds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  every_minutes INTEGER NOT NULL,
  options TEXT NOT NULL,
  who TEXT NOT NULL,
  created_at TEXT NOT NULL,
  due_at TEXT NOT NULL,
  is_paused INTEGER NOT NULL,
  etag TEXT,
  last_modified TEXT,
  ran_at TEXT,
  result TEXT,
  message TEXT,
  run_id INTEGER,
  failures INTEGER NOT NULL,
  told_at TEXT
);
