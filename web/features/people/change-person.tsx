import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserId } from '#contract/ids.ts';
import type { MadeLink, Person } from '#contract/people/administration.ts';
import { isLower, mayChangeRole, ROLE_LABELS, ROLES } from '#contract/people/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import styles from '#web/ui/admin.module.css';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { formatLapDate, pluralize } from '#web/ui/format.ts';
import { QueryState } from '#web/ui/state-message.tsx';

type DialogProps = { person: Person; onClose: () => void };

/** Gives a person another role; before a lower one it shows the links of the person that end with it. */
export function ChangeRole({ person: { id, name, role }, onClose }: DialogProps) {
  const { user } = useCurrentUser();
  const [chosen, setChosen] = useState(role);
  return (
    <ConfirmDialog
      title={`Role of ${name}`}
      confirmText="Change role"
      onConfirm={(send) =>
        send('PUT /api/admin/users/:userId/role', { params: { userId: id }, body: { role: chosen } })
      }
      onClose={onClose}
    >
      <SelectField
        label="Role"
        value={chosen}
        onChange={(event) => setChosen(ROLES.find((one) => one === event.currentTarget.value) ?? role)}
      >
        {ROLES.filter((one) => mayChangeRole(user, role, one)).map((one) => (
          <option key={one} value={one}>
            {ROLE_LABELS[one]}
          </option>
        ))}
      </SelectField>
      {isLower(chosen, role) && <MadeLinks userId={id} />}
    </ConfirmDialog>
  );
}

/** Asks before a suspension, and shows the links of the person that end with it. */
export function Suspend({ person: { id, name }, onClose }: DialogProps) {
  return (
    <ConfirmDialog
      title={`Suspend ${name}`}
      confirmText="Suspend"
      onConfirm={(send) =>
        send('PUT /api/admin/people/:userId/suspension', {
          params: { userId: id },
          body: { isSuspended: true },
        })
      }
      onClose={onClose}
    >
      <p>{name} is signed out everywhere and cannot sign in. API tokens end for good.</p>
      <MadeLinks userId={id} />
    </ConfirmDialog>
  );
}

/** Explains which data an account's removal deletes, and removes the account. */
export function RemovePerson({ person: { id, name, sessionCount }, onClose }: DialogProps) {
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

function MadeLinks({ userId }: { userId: UserId }) {
  const query = useQuery({
    ...apiQuery('GET /api/admin/people/:userId/links', { params: { userId } }),
    staleTime: 0,
  });
  const { data } = query;
  if (!data) return <QueryState noun="open links" query={query} />;
  if (data.links.length === 0) return <p>No invitation or link of theirs is open.</p>;
  return (
    <>
      <p>These links of theirs end:</p>
      <ul className={styles['retimings']}>
        {data.links.map((link, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- links have no id that others may know, and the list does not change
          <li key={index}>{describeLink(link)}</li>
        ))}
      </ul>
    </>
  );
}

function describeLink({ kind, role, usesLeft, resetsPasswordOf, expiresAt }: MadeLink): string {
  const until = `until ${formatLapDate(expiresAt)}`;
  if (kind === 'reset') return `A new password for ${resetsPasswordOf ?? 'a driver'}, ${until}`;
  return `An invitation, ${ROLE_LABELS[role ?? 'member']}, for ${pluralize(usesLeft, 'driver')}, ${until}`;
}
