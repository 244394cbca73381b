import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { buttonClassName } from '#web/ui/button.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { formatCount } from '#web/ui/format.ts';
import { FailedState, LoadingState } from '#web/ui/state-message.tsx';
import table from '#web/ui/table.module.css';
import { AdminCard } from './admin-card.tsx';
import { auditExportAddress, auditLogQuery, pageFrom, type AuditFilter } from './administration-queries.ts';
import { AUDIT_ACTIONS, describeAction, describeCounts, formatMoment } from './audit-words.ts';
import styles from './admin.module.css';
import { Pager } from './pager.tsx';

/** What administrators did, and drivers with their sessions, to be filtered and exported. */
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
      lead="What administrators did, and what drivers changed of their sessions. Times are in UTC."
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
          placeholder="Id of a track, user or session"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={filter.subject}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
        <a href={auditExportAddress(filter)} download="audit-log.json" className={buttonClassName({})}>
          Export
        </a>
      </div>
      <Entries filter={filter} page={page} onPage={setPage} />
    </AdminCard>
  );
}

type EntriesProps = { filter: AuditFilter; page: number; onPage: (page: number) => void };

function Entries({ filter, page, onPage }: EntriesProps) {
  const { data, isError, refetch } = useQuery(auditLogQuery(useDeferredValue(filter), page));
  if (isError) return <FailedState title="The log could not be loaded." onRetry={() => void refetch()} />;
  if (!data) return <LoadingState>Loading log...</LoadingState>;
  return (
    <div>
      <output className={styles['caption']}>{formatCount(data.total)} found</output>
      <div className={table['frame']}>
        <table className={table['table']}>
          <caption className="visually-hidden">Entries of the audit log, latest first</caption>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col" className={table['wide']}>
                Who
              </th>
              <th scope="col" className={table['wide']}>
                About
              </th>
            </tr>
          </thead>
          <tbody>
            {data.entries.map(({ id, at, action, userName, userId, subject, counts, changes }) => {
              const who = userName ?? (userId === null ? 'Terminal' : 'Deleted account');
              return (
                <tr key={id}>
                  <td className={table['row']}>{formatMoment(at)}</td>
                  <th scope="row">
                    {describeAction(action)}
                    <span className={table['part']}>{describeCounts(counts, changes)}</span>
                    <span className={table['under']}>{[who, subject].filter(Boolean).join(', ')}</span>
                  </th>
                  <td className={table['wide']}>{who}</td>
                  <td className={table['wide']}>{subject}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Pager
        noun="entries"
        page={pageFrom(data.entries, page, data.total)}
        total={data.total}
        onPage={onPage}
      />
    </div>
  );
}
