-- Spreads the tables that grow over sixteen partitions by track. For a database on its own server, while no copy of Pitboard
-- runs:  psql "$DATABASE_URL" --single-transaction --set ON_ERROR_STOP=1 --file deploy/partition-by-track.sql
-- Needs free disk for a second copy of these tables. Names of keys and indexes stay, so that later migrations find them.
DO $$
DECLARE
  grown CONSTANT text[] := ARRAY['sessions', 'laps', 'session_bests'];
  partitions CONSTANT int := 16;
  keys text[];
  foreign_keys text[];
  indexes text[];
  settings text[];
  grown_table text;
  statement text;
BEGIN
  SELECT
    array_agg(addition) FILTER (WHERE contype = 'p'),
    array_agg(addition) FILTER (WHERE contype = 'f')
  INTO keys, foreign_keys
  FROM (
    SELECT contype, format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS addition
    FROM pg_constraint
    WHERE contype = 'p' AND conrelid = ANY (grown::regclass[])
      OR contype = 'f' AND (conrelid = ANY (grown::regclass[]) OR confrelid = ANY (grown::regclass[]))
  ) AS constraints;
  SELECT array_agg(pg_get_indexdef(indexrelid)) INTO indexes
  FROM pg_index WHERE indrelid = ANY (grown::regclass[]) AND NOT indisprimary;

  FOREACH grown_table IN ARRAY grown LOOP
    SELECT reloptions INTO settings FROM pg_class WHERE oid = grown_table::regclass;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', grown_table, grown_table || '_whole');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY HASH (track_id)', grown_table, grown_table || '_whole');
    FOR part IN 0 .. partitions - 1 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s) %s', grown_table || '_' || part,
        grown_table, partitions, part, 'WITH (' || nullif(array_to_string(settings, ', '), '') || ')');
    END LOOP;
    EXECUTE format('INSERT INTO %I SELECT * FROM %I', grown_table, grown_table || '_whole');
  END LOOP;

  -- CASCADE removes the foreign keys that other tables have on these, no table: they are among those that are added again.
  DROP TABLE laps_whole, session_bests_whole, sessions_whole CASCADE;
  FOREACH statement IN ARRAY keys || indexes || foreign_keys LOOP
    EXECUTE statement;
  END LOOP;
END
$$;
ANALYZE sessions, laps, session_bests;
