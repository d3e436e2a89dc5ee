-- One tree for each table instead of a tree and an index: an import writes a line of both for every watch.
CREATE TABLE narrow_changes (
  sequence INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  at TEXT NOT NULL,
  data TEXT
);

INSERT INTO narrow_changes (sequence, type, subject_id, at, data)
SELECT sequence, type, subject_id, at, data FROM changes ORDER BY sequence;

DROP TABLE changes;
ALTER TABLE narrow_changes RENAME TO changes;

CREATE TABLE narrow_prices (
  watch_id BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  date TEXT NOT NULL,
  retail_price_usd DOUBLE PRECISION,
  current_market_price DOUBLE PRECISION,
  source TEXT NOT NULL,
  PRIMARY KEY (watch_id, date)
) WITHOUT ROWID;

INSERT INTO narrow_prices (watch_id, date, retail_price_usd, current_market_price, source)
SELECT watch_id, date, retail_price_usd, current_market_price, source FROM prices ORDER BY watch_id, date;

DROP TABLE prices;
ALTER TABLE narrow_prices RENAME TO prices;
