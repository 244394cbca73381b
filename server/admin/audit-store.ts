import type { Database } from '#server/db/database.ts';
import { auditLog } from '#server/db/schema.ts';

/** What an administrator did. */
export type AuditEntry = {
  userId: string;
  action: 'create-tracks' | 'import-apex-tracks' | 'migrate-apex-tracks' | 'import-cars';
  /** How many rows came to what. */
  counts: Record<string, number>;
};

/** Call it inside the transaction that does what it tells. */
export async function insertAuditEntry(db: Database, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(entry);
}
