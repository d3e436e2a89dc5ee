-- The log of imports and undos: each is a run. `details` is JSON: files, mapping, options, counts and the first rejected rows.
-- `has_journal` is 0 once the journal of the run is deleted, or about to be: the run can no longer be undone.
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  who TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  undone_by INTEGER,
  has_journal INTEGER NOT NULL DEFAULT 1,
  details TEXT NOT NULL
);

-- What a run changed, so that it can be undone. `step` counts the transactions of a run: there is one, unless the run was
-- written in batches. `before` and `after` are JSON with the columns that changed; `before` is null for what the run
-- created, `after` for what it deleted. `after` of a new watch says how many lines of the price history it got, if several.
CREATE TABLE run_watches (
  run_id INTEGER NOT NULL,
  step INTEGER NOT NULL,
  watch_id INTEGER NOT NULL,
  before TEXT,
  after TEXT,
  after_at TEXT,
  PRIMARY KEY (run_id, step, watch_id)
) WITHOUT ROWID;

CREATE TABLE run_brands (
  run_id INTEGER NOT NULL,
  step INTEGER NOT NULL,
  brand_id INTEGER NOT NULL,
  before TEXT,
  after TEXT NOT NULL,
  PRIMARY KEY (run_id, step, brand_id)
) WITHOUT ROWID;

-- A line of the price history. Where the source is null, there was no line before the run, or there is none after it.
CREATE TABLE run_prices (
  run_id INTEGER NOT NULL,
  step INTEGER NOT NULL,
  watch_id INTEGER NOT NULL,
  date TEXT NOT NULL,
  before_retail DOUBLE PRECISION,
  before_market DOUBLE PRECISION,
  before_source TEXT,
  after_retail DOUBLE PRECISION,
  after_market DOUBLE PRECISION,
  after_source TEXT,
  PRIMARY KEY (run_id, step, watch_id, date)
) WITHOUT ROWID;

-- An undo asks what later runs have changed of the same watches.
CREATE INDEX run_watches_by_watch ON run_watches (watch_id, run_id);
CREATE INDEX run_prices_by_watch ON run_prices (watch_id, run_id);
