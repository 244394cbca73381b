import { customType, timestamp } from 'drizzle-orm/pg-core';

// Types of columns that several rooms use. Tables use only features that every PostgreSQL from 15 to 18 has. Tables that grow carry the
// track first in their keys, so that they can be partitioned by track. Stored JSON is `unknown` in a schema: the stores parse it when they read it.

export const instant = (name: string) => timestamp(name, { withTimezone: true });

/** A position in PostgreSQL's write-ahead log (LSN). */
export const writeAheadPosition = customType<{ data: string }>({ dataType: () => 'pg_lsn' });

export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
});
