-- A random id of the transaction that wrote the change. A reader that has applied a change finds out by it whether the
-- log still contains that change: after a failover that lost rows, the same sequence may be given to another change.
-- Null for changes written by earlier versions.
ALTER TABLE changes ADD COLUMN commit_id TEXT;
