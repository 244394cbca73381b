import type { AuditEntry } from './audit-store.ts';

type Changes = NonNullable<AuditEntry['changes']>;

export function onlyChanged(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([, [before, after]]) => before !== after));
}
