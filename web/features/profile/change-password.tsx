import { useId, useState, type SyntheticEvent } from 'react';
import { ASKED_ABOUT, type AskedAbout } from '#contract/sign-in/labels.ts';
import type { Answer } from '#web/api/call-api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { readField } from '#web/ui/read-field.ts';
import { Switch } from '#web/ui/switch.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from './account-data.module.css';

type ChangePasswordProps = {
  credentials: Answer<'GET /api/account/credentials'>;
  /** True for administrators, who may have made invitations. */
  isAdmin: boolean;
};

/** Is what the person may end with the password, in the words of the page. */
const ASKED_LABELS: Record<AskedAbout, string> = {
  passkeys: 'Remove my passkeys',
  recoveryCodes: 'End my recovery codes',
  linkedIdentities: 'Unlink the provider',
  apiTokens: 'Revoke my API tokens',
  linksMade: 'End invitations and links that I made',
};

function listAsked({ credentials, isAdmin }: ChangePasswordProps): AskedAbout[] {
  const isThere: Record<AskedAbout, boolean> = {
    passkeys: credentials.passkeys.length > 0,
    recoveryCodes: credentials.recoveryCodesLeft > 0,
    linkedIdentities: credentials.linkableProvider?.isLinked === true,
    apiTokens: true,
    linksMade: isAdmin,
  };
  return ASKED_ABOUT.filter((thing) => isThere[thing]);
}

function describePassword({ signInEmail, hasPassword }: ChangePasswordProps['credentials']): string {
  if (signInEmail === null) return 'You have no password here yet.';
  if (!hasPassword) return `The password of ${signInEmail} has ended. Set a new one.`;
  return `You sign in with ${signInEmail} and your password.`;
}

/** Changes the password, or sets the first one. */
export function ChangePassword(props: ChangePasswordProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const title = props.credentials.hasPassword ? 'Change password' : 'Set a password';

  return (
    <div className={styles['line']}>
      <p className={styles['hint']}>{describePassword(props.credentials)}</p>
      <Button onClick={() => setIsOpen(true)}>{title}</Button>
      {isOpen && (
        <Dialog onClose={close} title={title}>
          <PasswordForm {...props} title={title} onDone={close} />
        </Dialog>
      )}
    </div>
  );
}

type PasswordFormProps = ChangePasswordProps & { title: string; onDone: () => void };

function PasswordForm({ title, onDone, ...props }: PasswordFormProps) {
  const { signInEmail, hasPassword } = props.credentials;
  const formId = useId();
  const [alsoEnd, setAlsoEnd] = useState<readonly AskedAbout[]>([]);
  const { run, isBusy, fields, problem } = useCall('PUT /api/account/password', {
    success: { title: 'Password Changed', description: 'Your other devices are signed out.' },
    onDone,
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const currentPassword = readField(form, 'currentPassword');
    const body = {
      newPassword: readField(form, 'newPassword'),
      alsoEnd: [...alsoEnd],
      ...(hasPassword && { currentPassword }),
    };
    void run({ body });
  }

  return (
    <Form id={formId} className={styles['form']} onSubmit={submit}>
      {problem && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      {hasPassword && signInEmail !== null && (
        <>
          {/* Password managers need the account of the password. */}
          <input type="hidden" name="username" autoComplete="username" value={signInEmail} />
          <TextField
            label="Current password"
            type="password"
            name="currentPassword"
            autoComplete="current-password"
            required
            error={fields['currentPassword']}
          />
        </>
      )}
      <NewPasswordField label="New password" name="newPassword" error={fields['newPassword']} />
      <p className={styles['hint']}>
        Your other devices are signed out. If somebody else may have used your account, end these too:
      </p>
      {listAsked(props).map((thing) => (
        <Switch
          key={thing}
          label={ASKED_LABELS[thing]}
          checked={alsoEnd.includes(thing)}
          onChange={({ currentTarget }) =>
            setAlsoEnd(currentTarget.checked ? [...alsoEnd, thing] : alsoEnd.filter((one) => one !== thing))
          }
        />
      ))}
      <Button type="submit" variant="primary" wide pending={isBusy}>
        {title}
      </Button>
    </Form>
  );
}
