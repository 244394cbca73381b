import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { SelectField } from './field.tsx';
import { formatCount } from './format.ts';
import { FailedState, LoadingState } from './state-message.tsx';
import table from './table.module.css';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import common from './common.module.css';
import { pageFrom, Pager } from './pager.tsx';

export type LibraryStatus = ListedTrack['status'];

type AdminTableProps<Row> = {
  /** The noun for the rows, such as `tracks`. */
  noun: string;
  /** The name of the table for screen readers. */
  caption: string;
  /** The page of rows and the number of rows on all pages; undefined while they are loading. */
  found: { rows: readonly Row[]; total: number } | undefined;
  hasFailed: boolean;
  onRetry: () => void;
  page: number;
  onPage: (page: number) => void;
  head: ReactNode;
  children: (row: Row) => ReactNode;
};

/** Shows a table that the server searches and pages, with its loading and failure states and 'N found'. */
export function AdminTable<Row>(props: AdminTableProps<Row>) {
  const { noun, caption, found, hasFailed, onRetry, page, onPage, head, children } = props;
  if (hasFailed) return <FailedState title={`The ${noun} could not be loaded.`} onRetry={onRetry} />;
  if (!found) return <LoadingState>{`Loading ${noun}...`}</LoadingState>;
  const { rows, total } = found;
  return (
    <div className={common['lines']}>
      <output className={common['note']}>{formatCount(total)} found</output>
      {rows.length > 0 && (
        <div className={table['frame']}>
          <table className={table['table']}>
            <caption className="visually-hidden">{caption}</caption>
            <thead>
              <tr>{head}</tr>
            </thead>
            <tbody>{rows.map(children)}</tbody>
          </table>
        </div>
      )}
      <Pager noun={noun} page={pageFrom(rows, page, total)} total={total} onPage={onPage} />
    </div>
  );
}

const STATUS_LABELS: Record<LibraryStatus, string> = {
  official: 'Official',
  community_submitted: 'Community',
};

/** Shows if a track or a car is official, or a driver added it. */
export function StatusBadge({ status }: { status: LibraryStatus }) {
  return <Badge tone={status === 'official' ? 'outline' : 'accent'}>{STATUS_LABELS[status]}</Badge>;
}

type StatusFilterProps = { status: LibraryStatus | ''; onChange: (status: LibraryStatus | '') => void };

/** Chooses which tracks or cars a table lists. */
export function StatusFilter({ status, onChange }: StatusFilterProps) {
  return (
    <SelectField
      label="Status"
      value={status}
      onChange={(event) => {
        const { value } = event.currentTarget;
        onChange(value === 'official' || value === 'community_submitted' ? value : '');
      }}
    >
      <option value="">All</option>
      {Object.entries(STATUS_LABELS).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
