import { useQuery } from '@tanstack/react-query';
import { ROLE_LABELS } from '#contract/people/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Button } from '#web/ui/button.tsx';
import { formatLapDate, pluralize } from '#web/ui/format.ts';
import { useCall } from '#web/ui/use-call.ts';
import { AdminCard } from '#web/ui/admin-card.tsx';
import styles from '#web/ui/card-list.module.css';

export const invitationsQuery = apiQuery('GET /api/admin/invitations');

/** Shows the invitations that can still be used, each with a button that withdraws it. */
export function Invitations() {
  const { run } = useCall('DELETE /api/admin/invitations/:invitationId', {
    failure: 'Not Withdrawn',
    refreshesAfterFailure: true,
    inTurn: true,
  });
  const { data } = useQuery(invitationsQuery);
  if (!data || data.invitations.length === 0) return null;

  return (
    <AdminCard
      title="Open Invitations"
      lead="The link of an invitation that you withdraw does nothing any more."
    >
      <ul className={styles['list']}>
        {data.invitations.map(({ id, role, usesLeft, expiresAt, createdBy }) => {
          const until = formatLapDate(expiresAt);
          return (
            <li key={id} className={styles['row']}>
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
                aria-label={`Withdraw the invitation of a ${ROLE_LABELS[role]} until ${until}`}
                onClick={() => void run({ params: { invitationId: id } })}
              >
                Withdraw
              </Button>
            </li>
          );
        })}
      </ul>
    </AdminCard>
  );
}
