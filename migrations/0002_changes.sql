-- The append-only log. `sequence` has no gaps: its counter is the one row below,
-- updated last in the transaction it belongs to, so commit order is sequence order.
CREATE TABLE changes (
  sequence BIGINT PRIMARY KEY,
  type TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  at TEXT NOT NULL,
  data TEXT
);

CREATE TABLE sequence (
  only_row INTEGER PRIMARY KEY DEFAULT 1 CHECK (only_row = 1),
  value BIGINT NOT NULL
);

INSERT INTO sequence (value) VALUES (0);
