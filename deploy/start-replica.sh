#!/bin/bash
# Copies the primary when there are no files yet, then follows it.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  PGPASSWORD="$POSTGRES_PASSWORD" gosu postgres pg_basebackup \
    --host=database --username="$POSTGRES_USER" --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream
fi
exec docker-entrypoint.sh postgres
