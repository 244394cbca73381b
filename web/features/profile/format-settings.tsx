import { useState } from 'react';
import type { FormatChoice } from '#contract/formats/labels.ts';
import type { User } from '#contract/people/schemas.ts';
import { FormatFields } from '#web/ui/format-fields.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { ProfileSection } from './profile-section.tsx';

/** Lets users choose units and the form of dates for all pages; each choice is saved at once. */
export function FormatSettings({ user }: { user: User }) {
  const saved = { units: user.units ?? null, dates: user.dates ?? null };
  const [choice, setChoice] = useState<FormatChoice>(saved);
  const { run } = useCall('PATCH /api/auth/user/preferences', {
    inTurn: true,
    failure: () => ({ title: 'Could not save', description: 'Please try again.' }),
    onFailed: () => setChoice(saved),
  });
  return (
    <ProfileSection title="Units and Dates" id="units">
      <FormatFields
        choice={choice}
        onChange={(chosen) => {
          setChoice(chosen);
          void run({ body: chosen });
        }}
      />
    </ProfileSection>
  );
}
