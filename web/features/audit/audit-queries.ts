import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { pageRows } from '#web/ui/pager.tsx';

export type AuditEntry = Answer<'GET /api/admin/audit-log'>['entries'][number];

/** Empty texts have no effect. */
export type AuditFilter = { person: string; action: string; from: string; until: string };

export const NO_FILTER: AuditFilter = { person: '', action: '', from: '', until: '' };

/** Returns the query of a page of the audit log. */
export const auditLogQuery = (filter: AuditFilter, page: number) => ({
  ...apiQuery('GET /api/admin/audit-log', { query: { ...filledIn(filter), ...pageRows(page) } }),
  placeholderData: keepPreviousData,
  staleTime: 0,
});

/** Returns the URL at which all entries that pass the filter are downloaded. */
export function auditExportUrl(filter: AuditFilter, format: 'json' | 'csv' = 'json'): string {
  const ending = format === 'csv' ? '.csv' : '';
  return `/api/admin/audit-log/export${ending}?${new URLSearchParams(filledIn(filter)).toString()}`;
}

function filledIn(filter: AuditFilter): Record<string, string> {
  const trimmed = Object.entries(filter).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}
/** Returns the query of the decisions in force on the laps of these entries. */
export const decisionsQuery = (entries: readonly AuditEntry[]) => {
  const ids = entries.flatMap(({ action, subject }) =>
    subject !== null && (action === 'keep-lap' || action === 'reject-lap') ? [subject] : [],
  );
  const lapIds = [...new Set(ids)].join(',');
  return {
    ...apiQuery('GET /api/admin/decided-laps', { query: { lapIds, ...pageRows(0) } }),
    enabled: ids.length > 0,
    staleTime: 0,
  };
};
