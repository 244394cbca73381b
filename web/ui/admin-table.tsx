import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { SelectField } from './field.tsx';
import { formatCount } from './format.ts';
import { QueryState } from './state-message.tsx';
import { Table } from './table.tsx';
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
  query: { isError: boolean; refetch: () => unknown };
  page: number;
  onPage: (page: number) => void;
  head: ReactNode;
  children: (row: Row) => ReactNode;
};

/** Shows a table that the server searches and pages, with its loading and failure states and 'N found'. */
export function AdminTable<Row>(props: AdminTableProps<Row>) {
  const { noun, caption, found, query, page, onPage, head, children } = props;
  const { isError, refetch } = query;
  const state = <QueryState noun={noun} query={{ data: found, isError, refetch }} />;
  if (!found) return state;
  const { rows, total } = found;
  return (
    <div className={common['lines']}>
      {state}
      <output className={common['note']}>{formatCount(total)} found</output>
      {rows.length > 0 && (
        <Table caption={caption} head={head}>
          {rows.map(children)}
        </Table>
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
