import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import type { Person } from '#contract/people.ts';
import { ROLES, type Role } from '#contract/permissions.ts';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { pluralize } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import { AdminTable } from './admin-table.tsx';
import styles from './admin.module.css';
import { InvitePeople } from './invite-people.tsx';
import { OneTimeLink } from './one-time-link.tsx';
import { ROLE_LABELS } from './role-labels.ts';

const PAGE_ROWS = 50;

const HEAD = (
  <>
    <th scope="col">Name</th>
    <th scope="col">Role</th>
    <th scope="col">Uploads</th>
    <th scope="col">Actions</th>
  </>
);

/** Everybody with an account: roles, suspension, links to set a password; and invitations. */
export function PeopleTable() {
  const [q, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [link, setLink] = useState<{ title: string; url: string } | null>(null);
  const queryClient = useQueryClient();
  const query = { q: useDeferredValue(q), limit: PAGE_ROWS, offset: page * PAGE_ROWS };
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/admin/people', { query }));

  async function change(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      showToast({ title: 'Not Changed', description: describeError(error), destructive: true });
    }
    await refresh(['admin', 'auth'], queryClient);
  }

  async function makeResetLink({ id, name }: Person): Promise<void> {
    const { url } = await callApi('POST /api/admin/people/:userId/reset-link', { params: { userId: id } });
    setLink({ title: `Give this link to ${name}. It sets a new password, once, within a day.`, url });
  }

  return (
    <>
      <InvitePeople />
      <AdminCard title="People" lead="Suspended people are signed out everywhere and cannot sign in.">
        {link && <OneTimeLink {...link} />}
        <div className={styles['filters']}>
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
        </div>
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
              change={(work) => void change(work)}
              makeResetLink={() => void change(() => makeResetLink(person))}
            />
          )}
        </AdminTable>
      </AdminCard>
    </>
  );
}

type PersonRowProps = {
  person: Person;
  change: (work: () => Promise<unknown>) => void;
  makeResetLink: () => void;
};

function PersonRow({ person, change, makeResetLink }: PersonRowProps) {
  const { id, name, role, isSuspended, hasPassword, sessionCount } = person;
  const params = { userId: id };
  const setRole = (chosen: Role) =>
    change(() => callApi('PUT /api/admin/users/:userId/role', { params, body: { role: chosen } }));
  const suspend = () =>
    change(() =>
      callApi('PUT /api/admin/people/:userId/suspension', { params, body: { isSuspended: !isSuspended } }),
    );
  return (
    <tr>
      <td>
        {name} {isSuspended && <Badge tone="bad">Suspended</Badge>}
      </td>
      <td>
        <SelectField
          label={`Role of ${name}`}
          hideLabel
          compact
          value={role}
          onChange={(event) => {
            const chosen = ROLES.find((one) => one === event.currentTarget.value);
            if (chosen) setRole(chosen);
          }}
        >
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {ROLE_LABELS[one]}
            </option>
          ))}
        </SelectField>
      </td>
      <td>
        <Link href={`/profile/${id}`}>{pluralize(sessionCount, 'session')}</Link>
      </td>
      <td>
        <Button size="small" onClick={suspend} aria-label={`${isSuspended ? 'Restore' : 'Suspend'} ${name}`}>
          {isSuspended ? 'Restore' : 'Suspend'}
        </Button>{' '}
        {hasPassword && (
          <Button size="small" onClick={makeResetLink} aria-label={`New password for ${name}`}>
            New password
          </Button>
        )}
      </td>
    </tr>
  );
}
