import { Link } from 'wouter';
import type { Person } from '#contract/people/administration.ts';
import { isLower, type Role, ROLES } from '#contract/people/labels.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { pluralize } from '#web/ui/format.ts';
import { useCall } from '#web/ui/use-call.ts';
import styles from '#web/ui/admin.module.css';
import { ROLE_LABELS } from './role-labels.ts';

type PersonRowProps = {
  person: Person;
  onLink: (link: { title: string; url: string }) => void;
  onRemove: () => void;
  onSuspend: () => void;
  onLowerRole: (role: Role) => void;
};

const CHANGE = { failure: 'Not Changed', refreshesAfterFailure: true, inTurn: true };

/** Shows a person with the actions of administrators. */
export function PersonRow({ person, onLowerRole, ...actions }: PersonRowProps) {
  const { id, name, isSuspended, isLeaving, sessionCount } = person;
  return (
    <tr className={styles['person']}>
      <td>
        {name} {isSuspended && <Badge tone="bad">Suspended</Badge>}
        {isLeaving && <Badge tone="bad">Leaving</Badge>}
      </td>
      <td>
        <RoleSelect person={person} onLowerRole={onLowerRole} />
      </td>
      <td>
        <Link href={`/profile/${id}?tab=tracks`}>{pluralize(sessionCount, 'session')}</Link>
      </td>
      <td className={styles['personActions']}>
        <Actions person={person} {...actions} />
      </td>
    </tr>
  );
}

/** Restores a person and makes a link for a new password at once; the page asks before a suspension and a removal. */
function Actions({ person, onLink, onRemove, onSuspend }: Omit<PersonRowProps, 'onLowerRole'>) {
  const { name, isSuspended, hasPassword } = person;
  const params = { userId: person.id };
  const restoring = useCall('PUT /api/admin/people/:userId/suspension', CHANGE);
  const resetLink = useCall('POST /api/admin/people/:userId/reset-link', {
    ...CHANGE,
    onDone: ({ url }) =>
      onLink({ title: `Give this link to ${name}. It sets a new password, once, within a day.`, url }),
  });
  const restore = () => void restoring.run({ params, body: { isSuspended: false } });
  const suspension = isSuspended ? 'Restore' : 'Suspend';
  return (
    <>
      <Button size="small" onClick={isSuspended ? restore : onSuspend} aria-label={`${suspension} ${name}`}>
        {suspension}
      </Button>
      {hasPassword && (
        <Button
          size="small"
          onClick={() => void resetLink.run({ params })}
          aria-label={`New password for ${name}`}
        >
          New password
        </Button>
      )}
      <Button size="small" variant="destructive" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </>
  );
}

/** Changes a role at once if it is a higher one, and asks before a lower one. */
function RoleSelect({ person, onLowerRole }: Pick<PersonRowProps, 'person' | 'onLowerRole'>) {
  const { id, name, role } = person;
  const { run } = useCall('PUT /api/admin/users/:userId/role', CHANGE);
  return (
    <SelectField
      label={`Role of ${name}`}
      hideLabel
      compact
      value={role}
      onChange={(event) => {
        const chosen = ROLES.find((one) => one === event.currentTarget.value);
        if (chosen && isLower(chosen, role)) onLowerRole(chosen);
        else if (chosen) void run({ params: { userId: id }, body: { role: chosen } });
      }}
    >
      {ROLES.map((one) => (
        <option key={one} value={one}>
          {ROLE_LABELS[one]}
        </option>
      ))}
    </SelectField>
  );
}

type RemovePersonProps = { person: Person; onClose: () => void };

/** Explains which data an account's removal deletes, and removes the account. */
export function RemovePerson({ person: { id, name, sessionCount }, onClose }: RemovePersonProps) {
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      confirmText="Remove account"
      word="REMOVE"
      onConfirm={(send) => send('DELETE /api/admin/people/:userId', { params: { userId: id } })}
      onClose={onClose}
    >
      <p>
        You cannot undo this. It deletes the account with {pluralize(sessionCount, 'session')}, and their laps
        from every board, their lap files, cars and photos. To keep the laps, suspend the account instead.
      </p>
    </ConfirmDialog>
  );
}
