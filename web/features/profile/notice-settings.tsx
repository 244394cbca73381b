import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NOTICE_KIND_LABELS, NOTICE_KINDS, type NoticeKind } from '#contract/notice-labels.ts';
import { mayModerate } from '#contract/permissions.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Switch } from '#web/ui/switch.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { ProfileSection } from './profile-section.tsx';

const settingsQuery = apiQuery('GET /api/notices/settings');

/** Of which kinds the user gets notices; each switch is saved at once. */
export function NoticeSettings() {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const { data } = useQuery(settingsQuery);
  // Another server may have no notices.
  if (!data) return null;
  const kinds = NOTICE_KINDS.filter((kind) => kind !== 'lap_answered' || mayModerate(user));

  async function change(kind: NoticeKind, isWanted: boolean): Promise<void> {
    const before = data?.muted ?? [];
    const muted = isWanted ? before.filter((one) => one !== kind) : [...before, kind];
    queryClient.setQueryData(settingsQuery.queryKey, { muted });
    try {
      await callApi('PUT /api/notices/settings', { body: { muted } });
    } catch {
      queryClient.setQueryData(settingsQuery.queryKey, { muted: before });
      showToast({ title: 'Could not save', description: 'Please try again.', destructive: true });
    }
  }

  return (
    <ProfileSection title="Notices" id="notices">
      {kinds.map((kind) => (
        <Switch
          key={kind}
          {...NOTICE_KIND_LABELS[kind]}
          checked={!data.muted.includes(kind)}
          onChange={(event) => void change(kind, event.currentTarget.checked)}
        />
      ))}
    </ProfileSection>
  );
}
