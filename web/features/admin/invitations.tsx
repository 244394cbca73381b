import { useQuery, useQueryClient } from '@tanstack/react-query';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { formatLapDate, pluralize } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import styles from './operations.module.css';
import { ROLE_LABELS } from './role-labels.ts';

/** The invitations that can still be used, each with a button that withdraws it. */
export function Invitations() {
  const queryClient = useQueryClient();
  const { data } = useQuery(apiQuery('GET /api/admin/invitations'));
  if (!data || data.invitations.length === 0) return null;

  async function withdraw(invitationId: string): Promise<void> {
    try {
      await callApi('DELETE /api/admin/invitations/:invitationId', { params: { invitationId } });
    } catch (error) {
      showToast({ title: 'Not Withdrawn', description: describeError(error), destructive: true });
    }
    await refresh(['admin'], queryClient);
  }

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
                onClick={() => void withdraw(id)}
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
