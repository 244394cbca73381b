import { useQuery } from '@tanstack/react-query';
import { useId, type SyntheticEvent } from 'react';
import type { FormatChoice } from '#contract/formats/labels.ts';
import { LIMITS } from '#contract/limits.ts';
import { USERNAME_CHARACTERS_MAX, formatUsername, fullName } from '#contract/people/labels.ts';
import type { User } from '#contract/people/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import common from '#web/ui/common.module.css';
import { TextField } from '#web/ui/field.tsx';
import { FormatFields } from '#web/ui/format-fields.tsx';
import { createFormDraft } from '#web/ui/form-draft.ts';
import { Form } from '#web/ui/form.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { ProfileSection } from './profile-section.tsx';
import { SaveChanges, SAVING } from './save-changes.tsx';

/** Shows the fields that users may change, and the e-mail address of their sign-in provider. */
export function EditProfileForm({ user, onSaved }: { user: User; onSaved: () => void }) {
  const { fields: draft, change, clear } = useProfileDraft(readPreferences(user));
  const { save, isBusy, fields } = useSaving(user, () => {
    clear();
    onSaved();
  });

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    save({ ...draft, displayName: draft.displayName.trim(), username: draft.username.trim() });
  }

  return (
    <Form className={common['stack']} onSubmit={submit}>
      <DisplayNameSection
        value={draft.displayName}
        problem={fields['displayName']}
        onChange={(displayName) => change({ displayName })}
      />
      <UsernameSection
        user={user}
        value={draft.username}
        problem={fields['username']}
        onChange={(username) => change({ username })}
      />
      <AccountInformation email={user.email} />
      <ProfileSection title="Communication Preferences">
        <Switch
          label="Email Updates"
          hint="News about the platform and your tracks."
          checked={draft.emailUpdates}
          onChange={(event) => change({ emailUpdates: event.currentTarget.checked })}
        />
      </ProfileSection>
      <ProfileSection title="Privacy">
        <Switch
          label="Keep my lines private"
          hint="Others see the times and sectors of your laps, but no map, no speeds and no comparison. Moderators see them while a lap is flagged."
          checked={draft.keepLinesPrivate}
          onChange={(event) => change({ keepLinesPrivate: event.currentTarget.checked })}
        />
      </ProfileSection>
      <ProfileSection title="Units and Dates">
        <FormatFields choice={draft} onChange={change} />
      </ProfileSection>
      <SaveChanges isBusy={isBusy} onCancel={clear} />
    </Form>
  );
}

type Preferences = FormatChoice & {
  displayName: string;
  username: string;
  emailUpdates: boolean;
  keepLinesPrivate: boolean;
};

const useProfileDraft = createFormDraft<Preferences>();

/** Reads what the form begins with: the name that others see, also where it is made of first and last name. */
function readPreferences(user: User): Preferences {
  const { username, emailUpdates, keepLinesPrivate, units, dates } = user;
  const displayName = user.displayName || fullName(user);
  return { displayName, username: username ?? '', emailUpdates, keepLinesPrivate, units, dates };
}

type NameSectionProps = {
  user: User;
  value: string;
  problem: string | undefined;
  onChange: (name: string) => void;
};

function DisplayNameSection({ value, problem, onChange }: Omit<NameSectionProps, 'user'>) {
  const id = useId();
  return (
    <ProfileSection title="Display Name" id={id}>
      <TextField
        label="Name"
        hideLabel
        // The heading names the field.
        aria-labelledby={id}
        hint="The name on boards and on your profile."
        name="displayName"
        autoComplete="nickname"
        maxLength={LIMITS.displayNameCharactersMax}
        value={value}
        error={problem}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </ProfileSection>
  );
}

function UsernameSection({ user, value, problem, onChange }: NameSectionProps) {
  const id = useId();
  return (
    <ProfileSection title="Username" id={id}>
      <TextField
        label="Username"
        hideLabel
        // The heading names the field.
        aria-labelledby={id}
        hint={hintUsername(user)}
        placeholder={formatUsername({ ...user, username: null }) ?? ''}
        name="username"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={USERNAME_CHARACTERS_MAX}
        value={value}
        error={problem}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </ProfileSection>
  );
}

function hintUsername({ email }: User): string {
  const otherwise = email
    ? 'Without one it is the part of your email before the @.'
    : 'Without one it is made from your name.';
  return `Shown after the @ on your profile. ${otherwise}`;
}

function AccountInformation({ email }: Pick<User, 'email'>) {
  const { data } = useQuery(apiQuery('GET /api/account/credentials'));
  const managedBy = data?.signInEmail
    ? 'You sign in with your email.'
    : 'Your email is managed by your sign-in provider.';
  return (
    <ProfileSection title="Account Information">
      <TextField
        type="email"
        label="Email"
        hint={`${managedBy} Only you can see it.`}
        readOnly
        value={email ?? ''}
      />
    </ProfileSection>
  );
}

function useSaving(user: User, onSaved: () => void) {
  const saved = readPreferences(user);
  const { run, refuse, ...state } = useCall('PATCH /api/auth/user/preferences', {
    ...SAVING,
    onDone: onSaved,
  });

  function save(draft: Preferences): void {
    const { displayName, username, keepLinesPrivate, units, dates, emailUpdates } = draft;
    // A user can change the name but not remove it; a user without a name may leave it empty.
    if (displayName === '' && saved.displayName !== '') {
      refuse(null, { displayName: 'Please enter a display name.' });
      return;
    }
    const body = {
      emailUpdates,
      ...(units !== saved.units && { units }),
      ...(dates !== saved.dates && { dates }),
      ...(displayName !== saved.displayName && { displayName }),
      ...(username !== saved.username && { username: username || null }),
      ...(keepLinesPrivate !== user.keepLinesPrivate && { keepLinesPrivate }),
    };
    void run({ body });
  }

  return { ...state, save };
}
