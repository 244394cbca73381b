import { AUDIT_ACTION_LABELS } from '#contract/audit/labels.ts';
import type { AuditEntry } from './administration-queries.ts';

const ACTION_LABELS: Record<string, string> = AUDIT_ACTION_LABELS;

/** The actions that the log can be filtered by. */
export const AUDIT_ACTIONS = Object.keys(ACTION_LABELS);

/** What was done, in words; a newer server may know more actions. */
export function describeAction(action: string): string {
  return ACTION_LABELS[action] ?? action;
}

/** What somebody wrote, of which there is no state before. */
const SENTENCES = new Set(['reason', 'question', 'source', 'result']);

/** What came of it: 'car: MX-5 (NB) → Elise (S2), 3 imported'. */
export function describeCounts(counts: AuditEntry['counts'], changes: AuditEntry['changes']): string {
  const changed = Object.entries(changes ?? {})
    .filter(([, [before, after]]) => before !== null || after !== null)
    .map(([field, [before, after]]) =>
      SENTENCES.has(field) && before === null
        ? `${field}: “${after}”`
        : `${field}: ${before ?? 'none'} → ${after ?? 'none'}`,
    );
  const counted = Object.entries(counts)
    .filter(([name, count]) => count !== 0 && !changes?.[name])
    .map(([name, count]) => `${name}: ${count}`);
  return [...changed, ...counted].join(', ');
}

/** A moment in UTC: '11/22/26 12:40'. */
export function formatMoment(iso: string): string {
  const [, year = '', month, day, time] = /^\d\d(\d\d)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  return time === undefined ? iso : `${month}/${day}/${year} ${time}`;
}
