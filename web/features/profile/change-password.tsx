import { useId, useState, type SyntheticEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { readField } from '#web/ui/read-field.ts';
import { useCall } from '#web/ui/use-call.ts';
import styles from './account-data.module.css';

type ChangePasswordProps = {
  /** The e-mail address that the password belongs to; null if there is no password yet. */
  signInEmail: string | null;
};

/** Changes the password, or sets the first one. */
export function ChangePassword({ signInEmail }: ChangePasswordProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const title = signInEmail === null ? 'Set a password' : 'Change password';

  return (
    <div className={styles['line']}>
      <p className={styles['hint']}>
        {signInEmail === null
          ? 'You have no password here yet.'
          : `You sign in with ${signInEmail} and your password.`}
      </p>
      <Button onClick={() => setIsOpen(true)}>{title}</Button>
      {isOpen && (
        <Dialog onClose={close} title={title}>
          <PasswordForm {...{ title, signInEmail }} onDone={close} />
        </Dialog>
      )}
    </div>
  );
}

type PasswordFormProps = ChangePasswordProps & { title: string; onDone: () => void };

function PasswordForm({ title, signInEmail, onDone }: PasswordFormProps) {
  const formId = useId();
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
      ...(signInEmail !== null && { currentPassword }),
    };
    void run({ body });
  }

  return (
    <form id={formId} noValidate className={styles['form']} onSubmit={submit}>
      {problem && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      {signInEmail !== null && (
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
      <p className={styles['hint']}>Your other devices are signed out.</p>
      <Button type="submit" variant="primary" wide pending={isBusy}>
        {title}
      </Button>
    </form>
  );
}
