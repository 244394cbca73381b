import { keepPreviousData, useQuery, type QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Person } from '#contract/people/administration.ts';
import { apiQuery } from '#web/api/api-query.ts';
import styles from '#web/ui/admin.module.css';
import { AdminTable } from '#web/ui/admin-table.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Headings } from '#web/ui/table.tsx';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { ChangeRole, RemovePerson, Suspend } from './change-person.tsx';
import { Invitations, invitationsQuery } from './invitations.tsx';
import { OneTimeLink } from './one-time-link.tsx';
import { PersonRow, type Question } from './person-row.tsx';

const PAGE_ROWS = 50;

const peopleQuery = (q: string, page: number) =>
  apiQuery('GET /api/admin/people', { query: { q, limit: PAGE_ROWS, offset: page * PAGE_ROWS } });

export function prefetchPeople(queryClient: QueryClient): Promise<void>[] {
  return [queryClient.prefetchQuery(peopleQuery('', 0)), queryClient.prefetchQuery(invitationsQuery)];
}

const COLUMNS = {
  Name: '',
  Role: 'wide',
  'Last seen': 'wide',
  Laps: 'number',
  Actions: 'for-screen-readers',
} as const;

const DIALOGS = { role: ChangeRole, suspension: Suspend, removal: RemovePerson };

/** Shows everybody with an account, who can be searched, and then the open invitations. */
export function PeopleTable() {
  const people = useRef<HTMLElement>(null);
  const [q, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [asked, setAsked] = useState<{ person: Person; question: Question } | null>(null);
  const [link, setLink] = useState<{ title: string; url: string } | null>(null);
  const query = useQuery({
    ...peopleQuery(useDebounced(q), page),
    placeholderData: keepPreviousData,
  });
  const { data, dataUpdatedAt } = query;
  const Dialog = asked && DIALOGS[asked.question];

  return (
    <section ref={people} tabIndex={-1} aria-label="People" className={styles['card']}>
      <TextField
        type="search"
        label="Search people"
        autoComplete="off"
        value={q}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setPage(0);
        }}
      />
      {link && <OneTimeLink {...link} />}
      <AdminTable
        noun="people"
        caption="People with an account, seen last first"
        found={data && { rows: data.people, total: data.total }}
        {...{ query, page }}
        onPage={setPage}
        head={<Headings columns={COLUMNS} />}
      >
        {(person) => (
          <PersonRow
            key={person.id}
            person={person}
            nowMs={dataUpdatedAt}
            onLink={setLink}
            onAsk={(question) => setAsked({ person, question })}
          />
        )}
      </AdminTable>
      <Invitations focusAfter={people} />
      {asked && Dialog && <Dialog person={asked.person} onClose={() => setAsked(null)} />}
    </section>
  );
}
