-- What the accounts deleted on a UTC day had used of their quota. `mailbox` is a keyed hash of the email, so that an
-- account created again on the same day continues the count. Rows are deleted after their day.
CREATE TABLE deleted_counts (
  account_id TEXT PRIMARY KEY,
  mailbox TEXT NOT NULL,
  day TEXT NOT NULL,
  used BIGINT NOT NULL
);
CREATE INDEX deleted_counts_by_mailbox ON deleted_counts (mailbox, day);
