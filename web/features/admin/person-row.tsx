import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Person } from '#contract/people.ts';
import { ROLES, type Role } from '#contract/permissions.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { pluralize } from '#web/ui/format.ts';
import styles from './admin.module.css';
import { ROLE_LABELS } from './role-labels.ts';

type PersonRowProps = {
  person: Person;
  change: (work: () => Promise<unknown>) => void;
  makeResetLink: () => void;
  remove: () => void;
};

/** A person with what administrators do to them. */
export function PersonRow({ person, change, makeResetLink, remove }: PersonRowProps) {
  const { id, name, role, isSuspended, hasPassword, sessionCount } = person;
  const params = { userId: id };
  const setRole = (chosen: Role) =>
    change(() => callApi('PUT /api/admin/users/:userId/role', { params, body: { role: chosen } }));
  const suspend = () =>
    change(() =>
      callApi('PUT /api/admin/people/:userId/suspension', { params, body: { isSuspended: !isSuspended } }),
    );
  return (
    <tr className={styles['person']}>
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
        <Link href={`/profile/${id}?tab=tracks`}>{pluralize(sessionCount, 'session')}</Link>
      </td>
      <td className={styles['personActions']}>
        <Button size="small" onClick={suspend} aria-label={`${isSuspended ? 'Restore' : 'Suspend'} ${name}`}>
          {isSuspended ? 'Restore' : 'Suspend'}
        </Button>
        {hasPassword && (
          <Button size="small" onClick={makeResetLink} aria-label={`New password for ${name}`}>
            New password
          </Button>
        )}
        <Button size="small" variant="destructive" onClick={remove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </td>
    </tr>
  );
}

type RemovePersonProps = { person: Person | null; onClose: () => void };

/** Says what goes with an account, and removes it. */
export function RemovePerson({ person, onClose }: RemovePersonProps) {
  const queryClient = useQueryClient();

  async function remove(): Promise<void> {
    if (!person) return;
    await callApi('DELETE /api/admin/people/:userId', { params: { userId: person.id } });
    await refresh(['admin', 'laps', 'tracks', 'users'], queryClient);
  }

  return (
    <ConfirmDialog
      open={person !== null}
      title={`Remove ${person?.name ?? 'account'}`}
      confirmText="Remove account"
      word="REMOVE"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        You cannot undo this. It deletes the account with {pluralize(person?.sessionCount ?? 0, 'session')},
        and their laps from every board, their lap files, cars and photos. To keep the laps, suspend the
        account instead.
      </p>
    </ConfirmDialog>
  );
}
