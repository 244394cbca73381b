import { REGISTRATIONS, type Registration } from '#contract/sign-in/labels.ts';
import { SelectField, TextField } from './field.tsx';

const REGISTRATION_LABELS: Record<Registration, string> = {
  invited: 'Only by invitation',
  open: 'Anybody',
  closed: 'Closed: no new accounts',
};

type ClubFieldsProps = {
  fields: Readonly<Record<string, string | undefined>>;
  /** The current value; absent at the set-up. */
  name?: string;
  timeZone?: string;
  registration?: Registration;
  /** The setting of the server, which overrides the choice; null without one. */
  fixedRegistration: Registration | null;
};

/** Shows the fields of the whole site's settings, which owners choose at the set-up and later. */
export function ClubFields({ fields, name, timeZone, registration, fixedRegistration }: ClubFieldsProps) {
  const zones = Intl.supportedValuesOf('timeZone');
  const chosen = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <TextField
        label="Name of your club"
        name="clubName"
        autoComplete="organization"
        required
        defaultValue={name}
        error={fields['clubName']}
      />
      <SelectField label="Time zone" name="timeZone" defaultValue={chosen} error={fields['timeZone']}>
        {[...new Set([chosen, 'UTC', ...zones])].map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
      <SelectField
        label="Who may make an account"
        name="registration"
        defaultValue={registration}
        hint={
          fixedRegistration !== null &&
          `The setting REGISTRATION of the server is “${fixedRegistration}”, which goes before what is chosen here.`
        }
        error={fields['registration']}
      >
        {REGISTRATIONS.map((value) => (
          <option key={value} value={value}>
            {REGISTRATION_LABELS[value]}
          </option>
        ))}
      </SelectField>
    </>
  );
}
