import { useQuery } from '@tanstack/react-query';
import { useId, useState, type SyntheticEvent } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { formatUsername, USERNAME_CHARACTERS_MAX } from '#contract/people/labels.ts';
import type { User } from '#contract/people/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { formatDisplayName } from '#web/api/current-user.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts';
import styles from './edit-profile-form.module.css';
import { ProfileSection } from './profile-section.tsx';

type EditProfileFormProps = { user: User; onSaved: () => void };

/** Shows the fields that users may change, and the e-mail address of their sign-in provider. */
export function EditProfileForm({ user, onSaved }: EditProfileFormProps) {
  const nameId = useId();
  const [displayName, setDisplayName] = useState(user.displayName ?? '');
  const [username, setUsername] = useState(user.username ?? '');
  const [emailUpdates, setEmailUpdates] = useState(user.emailUpdates);
  const [keepLinesPrivate, setKeepLinesPrivate] = useState(user.keepLinesPrivate);
  const { save, isBusy, fields } = useSaving(user, onSaved);
  useUnsavedChangesGuard(
    displayName.trim() !== (user.displayName ?? '') ||
      username.trim() !== (user.username ?? '') ||
      emailUpdates !== user.emailUpdates ||
      keepLinesPrivate !== user.keepLinesPrivate,
  );

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    save({ displayName: displayName.trim(), username: username.trim(), emailUpdates, keepLinesPrivate });
  }

  return (
    <Form className={styles['form']} onSubmit={submit}>
      <ProfileSection title="Display Name" id={nameId}>
        <TextField
          label="Name"
          hideLabel
          // The heading names the field.
          aria-labelledby={nameId}
          hint="The name on boards and on your profile."
          placeholder={formatDisplayName(user)}
          name="displayName"
          autoComplete="nickname"
          maxLength={LIMITS.displayNameCharactersMax}
          value={displayName}
          error={fields['displayName']}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
      </ProfileSection>
      <UsernameSection user={user} value={username} problem={fields['username']} onChange={setUsername} />
      <AccountInformation email={user.email} />
      <ProfileSection title="Communication Preferences">
        <Switch
          label="Email Updates"
          hint="News about the platform and your tracks."
          checked={emailUpdates}
          onChange={(event) => setEmailUpdates(event.currentTarget.checked)}
        />
      </ProfileSection>
      <PrivacySection isOn={keepLinesPrivate} onChange={setKeepLinesPrivate} />
      <div className={styles['actions']}>
        <ButtonLink href="/profile" size="large">
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" size="large" pending={isBusy}>
          Save Changes
        </Button>
      </div>
    </Form>
  );
}

function PrivacySection({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <ProfileSection title="Privacy">
      <Switch
        label="Keep my lines private"
        hint="Others see the times and sectors of your laps, but no map, no speeds and no comparison. Moderators see them while a lap is flagged."
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </ProfileSection>
  );
}

type UsernameSectionProps = {
  user: User;
  value: string;
  problem: string | undefined;
  onChange: (username: string) => void;
};

function UsernameSection({ user, value, problem, onChange }: UsernameSectionProps) {
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

type Changes = { displayName: string; username: string; emailUpdates: boolean; keepLinesPrivate: boolean };

function useSaving(user: User, onSaved: () => void) {
  const { run, refuse, ...state } = useCall('PATCH /api/auth/user/preferences', {
    success: { title: 'Profile Updated', description: 'Your profile has been saved successfully' },
    failure: () => ({
      title: 'Update Failed',
      description: 'Failed to update profile. Please try again.',
    }),
    onDone: onSaved,
  });

  function save({ displayName, username, keepLinesPrivate, ...preferences }: Changes): void {
    // A user can change the name but not remove it; a user without a name may leave it empty.
    if (displayName === '' && user.displayName) {
      refuse(null, { displayName: 'Please enter a display name.' });
      return;
    }
    const body = {
      ...preferences,
      ...(displayName !== '' && { displayName }),
      ...(username !== (user.username ?? '') && { username: username || null }),
      ...(keepLinesPrivate !== user.keepLinesPrivate && { keepLinesPrivate }),
    };
    void run({ body });
  }

  return { ...state, save };
}
