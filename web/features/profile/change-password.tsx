import { useId, useState, type SyntheticEvent } from 'react';
import { callApi } from '#web/api/call-api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { readField, useSubmit } from '#web/ui/use-submit.ts';
import styles from './account-data.module.css';

type ChangePasswordProps = {
  /** The address that the password belongs to; null where there is no password yet. */
  signInEmail: string | null;
  onChanged: () => Promise<void>;
};

/** Changes the password, or sets the first one. */
export function ChangePassword({ signInEmail, onChanged }: ChangePasswordProps) {
  const [isOpen, setIsOpen] = useState(false);
  const title = signInEmail === null ? 'Set a password' : 'Change password';

  function finish(): void {
    setIsOpen(false);
    showToast({ title: 'Password Changed', description: 'Your other devices are signed out.' });
    void onChanged();
  }

  return (
    <div className={styles['line']}>
      <p className={styles['hint']}>
        {signInEmail === null
          ? 'You have no password here yet.'
          : `You sign in with ${signInEmail} and your password.`}
      </p>
      <Button onClick={() => setIsOpen(true)}>{title}</Button>
      <PasswordDialog {...{ isOpen, title, signInEmail }} onClose={() => setIsOpen(false)} onDone={finish} />
    </div>
  );
}

type PasswordDialogProps = {
  isOpen: boolean;
  title: string;
  signInEmail: string | null;
  onClose: () => void;
  onDone: () => void;
};

function PasswordDialog({ isOpen, title, signInEmail, onClose, onDone }: PasswordDialogProps) {
  return (
    <Dialog open={isOpen} onClose={onClose} title={title}>
      <PasswordForm {...{ title, signInEmail, onDone }} />
    </Dialog>
  );
}

function PasswordForm({ title, signInEmail, onDone }: Omit<PasswordDialogProps, 'isOpen' | 'onClose'>) {
  const formId = useId();
  const { submit, isSending, fields, problem } = useSubmit(onDone);

  function send(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const currentPassword = readField(form, 'currentPassword');
    const body = {
      newPassword: readField(form, 'newPassword'),
      ...(signInEmail !== null && { currentPassword }),
    };
    void submit(() => callApi('PUT /api/account/password', { body }));
  }

  return (
    <form id={formId} noValidate className={styles['form']} onSubmit={send}>
      {problem && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      {signInEmail !== null && (
        <>
          {/* Password managers want to know whose password it is. */}
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
      <Button type="submit" variant="primary" wide pending={isSending}>
        {title}
      </Button>
    </form>
  );
}
