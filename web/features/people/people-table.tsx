import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Person } from '#contract/people/administration.ts';
import type { Role } from '#contract/people/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { TextField } from '#web/ui/field.tsx';
import { AdminCard } from '#web/ui/admin-card.tsx';
import { AdminTable } from '#web/ui/admin-table.tsx';
import { ClubSettings } from './club-settings.tsx';
import { Invitations } from './invitations.tsx';
import styles from '#web/ui/admin.module.css';
import { InvitePeople } from './invite-people.tsx';
import { LowerRole, Suspend } from './made-links.tsx';
import { OneTimeLink } from './one-time-link.tsx';
import { PersonRow, RemovePerson } from './person-row.tsx';

const PAGE_ROWS = 50;

const HEAD = (
  <>
    <th scope="col" className={styles['personHead']}>
      Name
    </th>
    <th scope="col" className={styles['personHead']}>
      Role
    </th>
    <th scope="col" className={styles['personHead']}>
      Uploads
    </th>
    <th scope="col" className={styles['personHead']}>
      Actions
    </th>
  </>
);

/** Shows all accounts with roles, suspensions and links that set a password, and the invitations. */
export function PeopleTable() {
  const [q, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [link, setLink] = useState<{ title: string; url: string } | null>(null);
  const query = { q: useDeferredValue(q), limit: PAGE_ROWS, offset: page * PAGE_ROWS };
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/admin/people', { query }));

  function search(text: string): void {
    setSearch(text);
    setPage(0);
  }

  return (
    <div className={styles['card']}>
      <InvitePeople />
      <Invitations />
      <AdminCard title="People" lead="Suspended people are signed out everywhere and cannot sign in.">
        {link && <OneTimeLink {...link} />}
        <PeopleSearch q={q} onSearch={search} />
        <AdminTable
          noun="people"
          caption="People with an account"
          found={data && { rows: data.people, total: data.total }}
          hasFailed={isError}
          onRetry={() => void refetch()}
          page={page}
          onPage={setPage}
          head={HEAD}
        >
          {(person) => (
            <PersonRow
              key={person.id}
              person={person}
              onLink={setLink}
              onRemove={() => setAsked({ person, about: 'removal' })}
              onSuspend={() => setAsked({ person, about: 'suspension' })}
              onLowerRole={(role) => setAsked({ person, about: role })}
            />
          )}
        </AdminTable>
        {asked && <Question {...asked} onClose={() => setAsked(null)} />}
      </AdminCard>
      <ClubSettings />
    </div>
  );
}

/** A change of a person that is asked about first: removal, suspension, or a lower role. */
type Asked = { person: Person; about: 'removal' | 'suspension' | Role };

function Question({ about, ...props }: Asked & { onClose: () => void }) {
  if (about === 'removal') return <RemovePerson {...props} />;
  if (about === 'suspension') return <Suspend {...props} />;
  return <LowerRole {...props} role={about} />;
}

function PeopleSearch({ q, onSearch }: { q: string; onSearch: (text: string) => void }) {
  return (
    <div className={styles['filters']}>
      <TextField
        type="search"
        label="Search people"
        autoComplete="off"
        value={q}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
    </div>
  );
}
