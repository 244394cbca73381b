#!/bin/bash
# Runs once, when the primary's files are made: the replica may follow it, with the same user and password.
set -e
echo "host replication $POSTGRES_USER all scram-sha-256" >> "$PGDATA/pg_hba.conf"
