import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DecidedLap } from '#contract/moderation/evidence.ts';
import { buttonClassName } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { SelectField, TextField } from '#web/ui/field.tsx';
import table from '#web/ui/table.module.css';
import { Headings } from '#web/ui/table.tsx';
import { AdminCard } from '#web/ui/admin-card.tsx';
import { AdminTable } from '#web/ui/admin-table.tsx';
import { UndoDecision } from '#web/ui/undo-decision.tsx';
import {
  auditExportUrl,
  auditLogQuery,
  decisionsQuery,
  type AuditEntry,
  NO_FILTER,
  type AuditFilter,
} from './audit-queries.ts';
import { profileHref } from '#web/ui/page-hrefs.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { AUDIT_ACTIONS, describeAction, describeCounts } from './audit-labels.ts';
import { formatTableMoment } from '#web/ui/format.ts';
import styles from '#web/ui/admin.module.css';

export function prefetchAuditLog(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchQuery(auditLogQuery(NO_FILTER, 0));
}

/** Shows the actions of administrators, and of drivers on their sessions, with filters and an export. */
export function AuditLog() {
  const [filter, setFilter] = useState(NO_FILTER);
  const [page, setPage] = useState(0);
  const change = (changed: Partial<AuditFilter>) => {
    setFilter({ ...filter, ...changed });
    setPage(0);
  };
  return (
    <AdminCard
      title="Audit Log"
      lead="What administrators did, and what drivers changed of their sessions and proposed. Times are in UTC."
    >
      <Filters filter={filter} onChange={change} />
      <Entries filter={filter} page={page} onPage={setPage} />
    </AdminCard>
  );
}

type FiltersProps = { filter: AuditFilter; onChange: (changed: Partial<AuditFilter>) => void };

function Filters({ filter, onChange }: FiltersProps) {
  return (
    <>
      <div className={styles['filters']}>
        <TextField
          type="search"
          label="Person"
          autoComplete="off"
          maxLength={200}
          value={filter.person}
          onChange={(event) => onChange({ person: event.currentTarget.value })}
        />
        <SelectField
          label="Action"
          value={filter.action}
          onChange={(event) => onChange({ action: event.currentTarget.value })}
        >
          <option value="">All</option>
          {AUDIT_ACTIONS.map((action) => (
            <option key={action} value={action}>
              {describeAction(action)}
            </option>
          ))}
        </SelectField>
        <TextField
          type="date"
          label="From"
          max={filter.until}
          value={filter.from}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
        <TextField
          type="date"
          label="Until"
          min={filter.from}
          value={filter.until}
          onChange={(event) => onChange({ until: event.currentTarget.value })}
        />
      </div>
      <ExportLinks filter={filter} />
    </>
  );
}

function ExportLinks({ filter }: { filter: AuditFilter }) {
  return (
    <div className={styles['actions']}>
      <a href={auditExportUrl(filter)} download="audit-log.json" className={buttonClassName({})}>
        Export
      </a>
      <a href={auditExportUrl(filter, 'csv')} download="audit-log.csv" className={buttonClassName({})}>
        Export CSV
      </a>
    </div>
  );
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

type EntriesProps = { filter: AuditFilter; page: number; onPage: (page: number) => void };

function Entries({ filter, page, onPage }: EntriesProps) {
  const query = useQuery(auditLogQuery(useDebounced(filter), page));
  const { data } = query;
  const decisions = useQuery(decisionsQuery(data?.entries ?? []));
  // Only the entry of a decision in force offers its undo.
  const findDecision = ({ subject, at }: AuditEntry) =>
    decisions.data?.laps.find(({ lapId, decidedAt }) => lapId === subject && decidedAt === at);
  return (
    <AdminTable
      noun="entries"
      caption="Entries of the audit log, latest first"
      found={data && { rows: data.entries, total: data.total }}
      {...{ query, page, onPage }}
      head={<Headings columns={{ When: '', What: '', Who: 'wide', About: 'wide' }} />}
    >
      {(entry) => <EntryRow key={entry.id} entry={entry} decision={findDecision(entry)} />}
    </AdminTable>
  );
}

function EntryRow({ entry, decision }: { entry: AuditEntry; decision: DecidedLap | undefined }) {
  const { at, action, userName, userId, counts, changes } = entry;
  const by = userName ?? (userId === null ? 'Terminal' : 'Deleted account');
  const who = userName === null || userId === null ? by : <Link href={profileHref(userId)}>{by}</Link>;
  return (
    <tr>
      <td className={classNames(table['row'], styles['moment'])}>{formatTableMoment(at)}</td>
      <th scope="row">
        {describeAction(action)}
        <span className={table['part']}>{describeCounts(counts, changes)}</span>
        <span className={table['under']}>{who}</span>
        <span className={table['under']}>
          <SubjectOfEntry entry={entry} />
        </span>
        {decision && <UndoDecision lap={decision} />}
      </th>
      <td className={table['wide']}>{who}</td>
      <td className={table['wide']}>
        <SubjectOfEntry entry={entry} />
      </td>
    </tr>
  );
}

/** Shows the name of what an entry is about. An id without a name means nothing to a reader; the export has it. */
function SubjectOfEntry({ entry: { subject, subjectName, subjectLink } }: { entry: AuditEntry }) {
  if (subjectName !== null && subjectLink !== null) return <Link href={subjectLink}>{subjectName}</Link>;
  return subject !== null && !UUID.test(subject) ? subject : null;
}
