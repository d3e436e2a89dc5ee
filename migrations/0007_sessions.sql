-- What signing in needs to know of an account. Accounts that were made before, or by the command, have no password yet.
ALTER TABLE accounts ADD COLUMN email_verified INTEGER NOT NULL DEFAULT 0 CHECK (email_verified IN (0, 1));
ALTER TABLE accounts ADD COLUMN two_factor_enabled INTEGER NOT NULL DEFAULT 0 CHECK (two_factor_enabled IN (0, 1));
ALTER TABLE accounts ADD COLUMN updated_at TEXT;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  token TEXT NOT NULL UNIQUE,
  ip_address TEXT,
  user_agent TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- How an account proves who it is; so far only by a password, of which the argon2id string is kept.
CREATE TABLE credentials (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  password TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (account_id, provider)
);

-- Links and steps that are good once and for a while: `identifier` is a digest, `value` mostly the account's id.
CREATE TABLE verifications (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
);
CREATE INDEX verifications_by_identifier ON verifications (identifier);
CREATE INDEX verifications_by_value ON verifications (value);
CREATE INDEX verifications_by_expiry ON verifications (expires_at);

-- Secret and codes are encrypted with the session secret.
CREATE TABLE two_factors (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  backup_codes TEXT NOT NULL,
  verified INTEGER NOT NULL DEFAULT 0 CHECK (verified IN (0, 1)),
  failed_count INTEGER NOT NULL DEFAULT 0,
  locked_until TEXT
);

-- What all processes on one database must agree on and nobody was asked to choose.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
