import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useState, type ReactNode, type RefObject } from 'react';
import { TextField } from '#web/ui/field.tsx';
import { AdminTable, StatusFilter, type LibraryStatus } from '#web/ui/admin-table.tsx';
import { Headings, type Columns } from '#web/ui/table.tsx';
import { useDebounced } from '#web/ui/use-debounced.ts';
import type { LibraryPage } from './library-queries.ts';
import styles from '#web/ui/admin.module.css';

type LibraryTableProps<Answer, Row> = {
  /** Names the rows: `tracks` or `cars`. */
  noun: string;
  /** Returns the query of a page of the rows that match `q` and the status; an empty value matches all. */
  query: (q: string, status: LibraryStatus | '', page: number) => LibraryQuery<Answer, Row>;
  searchField: RefObject<HTMLInputElement | null>;
  columns: Columns;
  children: (row: Row) => ReactNode;
};

type LibraryQuery<Answer, Row> = UseQueryOptions<Answer, Error, LibraryPage<Row>>;

/** Shows a table of the library with a search and a filter by status. */
export function LibraryTable<Answer, Row>(props: LibraryTableProps<Answer, Row>) {
  const { noun, query, searchField, columns, children } = props;
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState<LibraryStatus | ''>('');
  const [page, setPage] = useState(0);
  const found = useQuery(query(useDebounced(search), status, page));
  return (
    <>
      <div className={styles['filters']}>
        <TextField
          ref={searchField}
          type="search"
          label={`Search ${noun}`}
          autoComplete="off"
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setPage(0);
          }}
        />
        <StatusFilter
          status={status}
          onChange={(value) => {
            setStatus(value);
            setPage(0);
          }}
        />
      </div>
      <AdminTable
        {...{ noun, page, children }}
        head={<Headings columns={columns} />}
        caption={`${noun === 'cars' ? 'Cars' : 'Tracks'} of the library`}
        found={found.data}
        query={found}
        onPage={setPage}
      />
    </>
  );
}
