-- Attempts that are limited, such as sign-ins of an address, until their window ends. `subject` is a keyed hash, and `most`
-- its limit. `granted` is how many attempts the last statement was granted: it tells the process that ran the statement.
CREATE TABLE attempt_counts (
  subject TEXT PRIMARY KEY,
  attempts BIGINT NOT NULL,
  granted BIGINT NOT NULL,
  most BIGINT NOT NULL,
  until TEXT NOT NULL
);
CREATE INDEX attempt_counts_by_until ON attempt_counts (until);
