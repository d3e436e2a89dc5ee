-- AUTOINCREMENT: the id of a deleted watch is never given to another.
CREATE TABLE brands (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  aliases TEXT NOT NULL DEFAULT '[]',
  country TEXT,
  founded_year INTEGER,
  website TEXT,
  updated_at TEXT NOT NULL
);

CREATE TABLE watches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  brand_id INTEGER NOT NULL REFERENCES brands (id),
  collection TEXT NOT NULL,
  reference_number TEXT NOT NULL,
  retail_price_usd DOUBLE PRECISION,
  current_market_price DOUBLE PRECISION,
  specs TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE INDEX watches_by_reference ON watches (brand_id, reference_number);
