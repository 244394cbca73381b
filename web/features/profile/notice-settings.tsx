import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NOTICE_KIND_LABELS, NOTICE_KINDS, type NoticeKind } from '#contract/notices/labels.ts';
import { mayModerate } from '#contract/people/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Switch } from '#web/ui/switch.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { ProfileSection } from './profile-section.tsx';

/** Lets users choose of which kinds they get notices; each switch is saved at once. */
export function NoticeSettings() {
  const { data } = useQuery(apiQuery('GET /api/notices/settings'));
  if (!data) return null;
  return (
    <ProfileSection title="Notices" id="notices">
      <Switches settings={data} />
    </ProfileSection>
  );
}

function Switches({ settings }: { settings: Answer<'GET /api/notices/settings'> }) {
  const { user } = useCurrentUser();
  const [muted, setMuted] = useState(settings.muted);
  const { run } = useCall('PUT /api/notices/settings', {
    inTurn: true,
    failure: () => ({ title: 'Could not save', description: 'Please try again.' }),
    onFailed: () => setMuted(settings.muted),
  });
  const kinds = NOTICE_KINDS.filter((kind) => kind !== 'lap_answered' || mayModerate(user));

  function change(kind: NoticeKind, isWanted: boolean): void {
    const chosen = isWanted ? muted.filter((one) => one !== kind) : [...muted, kind];
    setMuted(chosen);
    void run({ body: { muted: chosen } });
  }

  return kinds.map((kind) => (
    <Switch
      key={kind}
      {...NOTICE_KIND_LABELS[kind]}
      checked={!muted.includes(kind)}
      onChange={(event) => change(kind, event.currentTarget.checked)}
    />
  ));
}
