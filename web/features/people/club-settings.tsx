import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { REGISTRATIONS } from '#contract/sign-in/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { ClubFields } from '#web/ui/club-fields.tsx';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from '#web/ui/admin.module.css';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';

/** Shows the settings of the whole site, which only owners change. Without own accounts there is no set-up, and the first choice is made here. */
export function ClubSettings() {
  const { user } = useCurrentUser();
  const [saves, setSaves] = useState(0);
  const { data } = useQuery({ ...apiQuery('GET /api/admin/club'), enabled: user?.role === 'owner' });
  if (!data || user?.role !== 'owner') return null;
  return (
    <div className={common['stack']}>
      <p className={common['lead']}>What holds for the whole site. Only owners change it.</p>
      <ClubForm key={`${saves} ${JSON.stringify(data)}`} {...data} onSaved={() => setSaves(saves + 1)} />
    </div>
  );
}

type ClubFormProps = Answer<'GET /api/admin/club'> & { onSaved: () => void };

function ClubForm({ club, fixedRegistration, onSaved }: ClubFormProps) {
  const { run, isBusy, fields, problem } = useCall('PUT /api/admin/club', {
    success: { title: 'Club Settings Saved' },
    onDone: onSaved,
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const registration = REGISTRATIONS.find((one) => one === readField(form, 'registration')) ?? 'invited';
    const switches = new FormData(form);
    const hasSimulatorBoards = switches.has('hasSimulatorBoards');
    const hasSamples = switches.has('hasSamples');
    const [name, timeZone] = [readField(form, 'clubName'), readField(form, 'timeZone')];
    void run({ body: { name, timeZone, registration, hasSimulatorBoards, hasSamples } });
  }

  return (
    <Form className={common['list']} onSubmit={submit}>
      <Failure>{problem}</Failure>
      <ClubFields
        fields={{ ...fields, clubName: fields['name'] }}
        fixedRegistration={fixedRegistration}
        {...club}
      />
      <Switch
        label="Simulator boards"
        hint="Laps of simulators rank on boards of their own, never with real laps."
        name="hasSimulatorBoards"
        defaultChecked={club?.hasSimulatorBoards ?? false}
      />
      <Switch
        label="Sample lap files"
        hint="The upload page offers simulated files to try it with. Their laps never rank with real ones."
        name="hasSamples"
        defaultChecked={club?.hasSamples ?? true}
      />
      <Button type="submit" variant="primary" className={styles['narrow']} pending={isBusy}>
        Save
      </Button>
    </Form>
  );
}
