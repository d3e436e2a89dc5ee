-- A table of PostgreSQL is a heap and an index, whatever its key is: there is nothing to narrow.
SELECT 1;
