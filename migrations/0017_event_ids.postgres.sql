-- Leaves room between the ids of events, for a random number: after a failover that loses events, the next ones must not
-- get their ids, because senders may still have the lost ones in memory.
ALTER TABLE webhook_events ALTER COLUMN id SET INCREMENT BY 1048576;
