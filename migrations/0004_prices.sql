-- Every price a watch has had: one row a day and watch, the day's last price wins.
CREATE TABLE prices (
  watch_id BIGINT NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  date TEXT NOT NULL,
  retail_price_usd DOUBLE PRECISION,
  current_market_price DOUBLE PRECISION,
  source TEXT NOT NULL,
  PRIMARY KEY (watch_id, date)
);
