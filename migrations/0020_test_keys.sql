-- Whether the key is a test key: its requests are answered from the sample catalogue, and cost no quota.
ALTER TABLE api_keys ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
