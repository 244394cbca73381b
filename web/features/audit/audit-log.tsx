import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import type { DecidedLap } from '#contract/moderation/evidence.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { buttonClassName } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { SelectField, TextField } from '#web/ui/field.tsx';
import table from '#web/ui/table.module.css';
import { Headings } from '#web/ui/table.tsx';
import { AdminCard } from '#web/ui/admin-card.tsx';
import { AdminTable } from '#web/ui/admin-table.tsx';
import { UndoDecision } from '#web/ui/undo-decision.tsx';
import { lapHref } from '#web/ui/lap-url.ts';
import {
  auditExportUrl,
  auditLogQuery,
  decisionsQuery,
  type AuditEntry,
  type AuditFilter,
} from './audit-queries.ts';
import { AUDIT_ACTIONS, describeAction, describeCounts } from './audit-labels.ts';
import { formatTableMoment } from '#web/ui/format.ts';
import styles from '#web/ui/admin.module.css';

/** Shows the actions of administrators, and of drivers on their sessions, with filters and an export. */
export function AuditLog() {
  const [filter, setFilter] = useState<AuditFilter>({ action: '', subject: '' });
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
      <div className={styles['filters']}>
        <SelectField
          label="Action"
          value={filter.action}
          onChange={(event) => change({ action: event.currentTarget.value })}
        >
          <option value="">All</option>
          {AUDIT_ACTIONS.map((action) => (
            <option key={action} value={action}>
              {describeAction(action)}
            </option>
          ))}
        </SelectField>
        <TextField
          label="About"
          placeholder="Id of a track, car, user or session"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={filter.subject}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
        <a href={auditExportUrl(filter)} download="audit-log.json" className={buttonClassName({})}>
          Export
        </a>
        <a href={auditExportUrl(filter, 'csv')} download="audit-log.csv" className={buttonClassName({})}>
          Export CSV
        </a>
      </div>
      <Entries filter={filter} page={page} onPage={setPage} />
    </AdminCard>
  );
}

type EntriesProps = { filter: AuditFilter; page: number; onPage: (page: number) => void };

function Entries({ filter, page, onPage }: EntriesProps) {
  const { data, isError, refetch } = useQuery(auditLogQuery(useDeferredValue(filter), page));
  const decisions = useQuery(decisionsQuery(data?.entries ?? []));
  // Only the entry of a decision in force offers its undo.
  const findDecision = ({ subject, at }: AuditEntry) =>
    decisions.data?.laps.find(({ lapId, decidedAt }) => lapId === subject && decidedAt === at);
  return (
    <AdminTable
      noun="entries"
      caption="Entries of the audit log, latest first"
      found={data && { rows: data.entries, total: data.total }}
      hasFailed={isError}
      onRetry={() => void refetch()}
      {...{ page, onPage }}
      head={<Headings columns={{ When: '', What: '', Who: 'wide', About: 'wide' }} />}
    >
      {(entry) => <EntryRow key={entry.id} entry={entry} decision={findDecision(entry)} />}
    </AdminTable>
  );
}

type EntryRowProps = { entry: AuditEntry; decision: DecidedLap | undefined };

function EntryRow({ entry, decision }: EntryRowProps) {
  const { at, action, userName, userId, subject, subjectName, counts, changes } = entry;
  const who = userName ?? (userId === null ? 'Terminal' : 'Deleted account');
  return (
    <tr>
      <td className={classNames(table['row'], styles['moment'])}>{formatTableMoment(at)}</td>
      <th scope="row">
        {describeAction(action)}
        <span className={table['part']}>{describeCounts(counts, changes)}</span>
        <span className={table['under']}>{[who, subjectName ?? subject].filter(Boolean).join(', ')}</span>
        {decision && <DecisionOfEntry decision={decision} />}
      </th>
      <td className={table['wide']}>{who}</td>
      <td className={table['wide']}>
        {subjectName}
        <span className={table['part']}>{subject}</span>
      </td>
    </tr>
  );
}

function DecisionOfEntry({ decision }: { decision: DecidedLap }) {
  const { trackId, lapId, userName, lapTimeMs } = decision;
  return (
    <span className={styles['proposal']}>
      <Link href={lapHref(trackId, { lapId, otherIds: [] })} className={styles['link']}>
        {formatLapTime(lapTimeMs)} by {userName}
      </Link>
      <UndoDecision lap={decision} />
    </span>
  );
}
