-- Tells one life of a database from another: a restored one gets a new epoch,
-- so that indexes and caches made from the old one are not believed.
CREATE TABLE epoch (
  only_row INTEGER PRIMARY KEY DEFAULT 1 CHECK (only_row = 1),
  id TEXT NOT NULL,
  started_at TEXT NOT NULL
);
