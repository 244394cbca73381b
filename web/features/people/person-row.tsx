import { Link } from 'wouter';
import type { Person } from '#contract/people/administration.ts';
import { mayChangeRole, ROLE_LABELS } from '#contract/people/labels.ts';
import type { User } from '#contract/people/schemas.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Badge } from '#web/ui/badge.tsx';
import { formatCount } from '#web/ui/format.ts';
import { RowAction, RowMenu } from '#web/ui/row-menu.tsx';
import table from '#web/ui/table.module.css';
import { useCall } from '#web/ui/use-call.ts';
import { profileHref } from '#web/ui/page-hrefs.ts';
import { formatLastSeen } from './format-last-seen.ts';

/** Names a change that the page asks about first. */
export type Question = 'role' | 'suspension' | 'removal';

type PersonRowProps = {
  person: Person;
  nowMs: number;
  onLink: (link: { title: string; url: string }) => void;
  onAsk: (question: Question) => void;
};

const CHANGE = { failure: 'Not Changed', refreshesAfterFailure: true, inTurn: true };

/** Shows a person with a menu of what the viewer may do. */
export function PersonRow({ person, nowMs, ...actions }: PersonRowProps) {
  const { id, name, role, isSuspended, isLeaving, lapCount, lastSeenAt } = person;
  const lastSeen = formatLastSeen(lastSeenAt, nowMs);
  return (
    <tr>
      <th scope="row">
        <Link href={profileHref(id)}>{name}</Link> {isSuspended && <Badge tone="bad">Suspended</Badge>}
        {isLeaving && <Badge tone="bad">Leaving</Badge>}
        <span className={table['under']}>
          {ROLE_LABELS[role]}, {lastSeen}
        </span>
      </th>
      <td className={table['wide']}>{ROLE_LABELS[role]}</td>
      <td className={table['wide']}>{lastSeen}</td>
      <td className={table['number']}>
        <Link href={`${profileHref(id)}?tab=tracks`} aria-label={`${lapCount} laps of ${name}`}>
          {formatCount(lapCount)}
        </Link>
      </td>
      <td className={table['action']}>
        <Actions person={person} {...actions} />
      </td>
    </tr>
  );
}

/** Lets a person in again and makes a link for a new password at once; the page asks before all else. */
function Actions({ person, onLink, onAsk }: Omit<PersonRowProps, 'nowMs'>) {
  const { user } = useCurrentUser();
  const { id, name, isSuspended, isRoleFixed, hasPassword } = person;
  const params = { userId: id };
  const restoring = useCall('PUT /api/admin/people/:userId/suspension', CHANGE);
  const resetLink = useCall('POST /api/admin/people/:userId/reset-link', {
    ...CHANGE,
    onDone: ({ url }) =>
      onLink({ title: `Give this link to ${name}. It sets a new password, once, within a day.`, url }),
  });
  const { mayEnd, hasAny } = findPermissions(user, person);
  if (!hasAny) return null;
  return (
    <RowMenu label={`Actions for ${name}`} pending={restoring.isBusy || resetLink.isBusy}>
      {!isRoleFixed && <RowAction onClick={() => onAsk('role')}>Change role</RowAction>}
      {hasPassword && (
        <RowAction onClick={() => void resetLink.run({ params })}>Link for a new password</RowAction>
      )}
      {mayEnd && !isSuspended && <RowAction onClick={() => onAsk('suspension')}>Suspend</RowAction>}
      {mayEnd && isSuspended && (
        <RowAction onClick={() => void restoring.run({ params, body: { isSuspended: false } })}>
          Restore
        </RowAction>
      )}
      {mayEnd && (
        <RowAction isDestructive onClick={() => onAsk('removal')}>
          Remove
        </RowAction>
      )}
    </RowMenu>
  );
}

/** Tells whether the viewer may suspend and remove a person, and whether there is anything that the viewer may do. */
function findPermissions(user: User | null, person: Person) {
  const { id, role, isLastOwner, isRoleFixed, hasPassword } = person;
  const mayManage = mayChangeRole(user, role, role);
  const mayEnd = mayManage && !isLastOwner && id !== user?.id;
  return { mayEnd, hasAny: mayManage && (mayEnd || hasPassword || !isRoleFixed) };
}
