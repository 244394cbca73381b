#!/bin/bash
# Copies the primary when there are no files yet, then follows it.
set -e
# This file arrives last: without it a copy was cut off.
if [ ! -s "$PGDATA/global/pg_control" ]; then
  mkdir -p "$PGDATA"
  find "$PGDATA" -mindepth 1 -delete
  chown postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  PGPASSWORD="$POSTGRES_PASSWORD" gosu postgres pg_basebackup \
    --host=database --username="$POSTGRES_USER" --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream
fi
exec docker-entrypoint.sh postgres
