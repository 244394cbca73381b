import type { AuditEntry } from './audit-store.ts';

type Changes = NonNullable<AuditEntry['changes']>;

/** Returns the fields whose values before and after differ. */
export function onlyChanged(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([, [before, after]]) => before !== after));
}
