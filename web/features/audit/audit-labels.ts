import { AUDIT_ACTION_LABELS } from '#contract/audit/labels.ts';
import { ROLE_LABELS } from '#contract/people/labels.ts';
import type { AuditEntry } from './audit-queries.ts';

const ACTION_LABELS: Record<string, string> = AUDIT_ACTION_LABELS;

export const AUDIT_ACTIONS = Object.keys(ACTION_LABELS);

/** Returns the label of an action; a newer server may have further actions. */
export function describeAction(action: string): string {
  return ACTION_LABELS[action] ?? action;
}

/** The fields with a text that was written for the action, so that they have no earlier value. */
const SENTENCES = new Set(['reason', 'question', 'source', 'result']);

const ROLES: Record<string, string> = ROLE_LABELS;

function describeValue(field: string, value: string | null): string {
  if (value === null) return 'none';
  return (field === 'role' ? ROLES[value] : undefined) ?? value;
}

/** Describes the outcome of an action: 'car: MX-5 (NB) → Elise (S2), 3 imported'. */
export function describeCounts(counts: AuditEntry['counts'], changes: AuditEntry['changes']): string {
  const changed = Object.entries(changes ?? {})
    .filter(([, [before, after]]) => before !== null || after !== null)
    .map(([field, [before, after]]) =>
      SENTENCES.has(field) && before === null
        ? `${field}: “${after}”`
        : `${field}: ${describeValue(field, before)} → ${describeValue(field, after)}`,
    );
  const counted = Object.entries(counts)
    .filter(([name, count]) => count !== 0 && !changes?.[name])
    .map(([name, count]) => `${name}: ${count}`);
  return [...changed, ...counted].join(', ');
}
