import { useQuery } from '@tanstack/react-query';
import { useRef, type RefObject } from 'react';
import { ROLE_LABELS } from '#contract/people/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { Button } from '#web/ui/button.tsx';
import { formatLapDate, pluralize } from '#web/ui/format.ts';
import { useCall } from '#web/ui/use-call.ts';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import { AdminCard } from '#web/ui/admin-card.tsx';
import styles from '#web/ui/card-list.module.css';

export const invitationsQuery = apiQuery('GET /api/admin/invitations');

type FocusAfter = { focusAfter: RefObject<HTMLElement | null> };

/** Shows the invitations that can still be used, each with a button that withdraws it. */
export function Invitations({ focusAfter }: FocusAfter) {
  const { data } = useQuery(invitationsQuery);
  if (!data || data.invitations.length === 0) return null;
  return <InvitationsCard {...data} focusAfter={focusAfter} />;
}

type Invitation = Answer<'GET /api/admin/invitations'>['invitations'][number];

function InvitationsCard({ invitations, focusAfter }: FocusAfter & { invitations: readonly Invitation[] }) {
  const list = useRef<HTMLUListElement>(null);
  // The card goes with its last invitation.
  useFocusAfter(focusAfter);
  return (
    <AdminCard
      title="Open Invitations"
      lead="The link of an invitation that you withdraw does nothing any more."
    >
      <ul ref={list} tabIndex={-1} className={styles['list']} aria-label="Open invitations">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} focusAfter={list} />
        ))}
      </ul>
    </AdminCard>
  );
}

function InvitationRow({ invitation, focusAfter }: FocusAfter & { invitation: Invitation }) {
  const { id, role, usesLeft, expiresAt, createdBy } = invitation;
  const { run, isBusy } = useCall('DELETE /api/admin/invitations/:invitationId', {
    failure: 'Not Withdrawn',
    refreshesAfterFailure: true,
  });
  useFocusAfter(focusAfter);
  const until = formatLapDate(expiresAt);
  return (
    <li className={styles['row']}>
      <div>
        <p className={styles['name']}>
          {ROLE_LABELS[role]}, for {pluralize(usesLeft, 'driver')}
        </p>
        <p className={styles['target']}>
          Works until {until}. Made by {createdBy ?? 'the server'}.
        </p>
      </div>
      <Button
        size="small"
        pending={isBusy}
        aria-label={`Withdraw the invitation of a ${ROLE_LABELS[role]} until ${until}`}
        onClick={() => void run({ params: { invitationId: id } })}
      >
        Withdraw
      </Button>
    </li>
  );
}
