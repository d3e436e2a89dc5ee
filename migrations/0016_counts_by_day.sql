-- Counts are looked up by subject and day, and pruned by day. Both indexes have both columns: right after midnight
-- PostgreSQL has no statistics of the new day, and might read all of it through an index of days alone.
DROP INDEX daily_counts_by_day;
CREATE INDEX daily_counts_by_day ON daily_counts (day, subject);
