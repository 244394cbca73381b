import KeyRound from 'lucide-react/icons/key-round';
import LogIn from 'lucide-react/icons/log-in';
import { useState, type SyntheticEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { MailMeALink } from './mail-me-a-link.tsx';
import { signWithPasskey } from '#web/api/passkey.ts';
import { findReviewPath } from './review-path.ts';
import { RegisterForm } from './register-form.tsx';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { useCall, useCalls, type Work } from '#web/ui/use-call.ts';

type OwnSignInProps = {
  onSignedIn: (path?: string) => void;
  sendsMail: boolean;
  /** True if everybody may create an account. */
  isOpen: boolean;
};

type FormProps = Pick<OwnSignInProps, 'onSignedIn'> & EmailProps;

/** The e-mail address, which stays when the sign-in method changes. */
type EmailProps = { email: string; onEmail: (email: string) => void };

type SignInForm = 'password' | 'recovery' | 'link' | 'registration';

/** Signs in with an account of this server: address and password, a passkey, a recovery code, or a link by mail; or makes an account. */
export function OwnSignIn({ onSignedIn, sendsMail, isOpen }: OwnSignInProps) {
  const [shown, setShown] = useState<SignInForm>('password');
  const [email, setEmail] = useState('');
  const form = { onSignedIn, email, onEmail: setEmail };
  if (shown === 'password')
    return (
      <>
        <PasswordForm {...form} />
        {sendsMail && (
          <Button variant="quiet" onClick={() => setShown('link')}>
            Mail me a link to sign in
          </Button>
        )}
        <Button variant="quiet" onClick={() => setShown('recovery')}>
          Forgot your password?
        </Button>
        {isOpen && (
          <Button variant="quiet" onClick={() => setShown('registration')}>
            Make an account
          </Button>
        )}
      </>
    );
  return (
    <>
      {shown === 'link' && <MailMeALink purpose="sign-in" email={email} />}
      {shown === 'recovery' && sendsMail && <MailMeALink purpose="reset" email={email} />}
      {shown === 'recovery' && <RecoveryForm {...form} sendsMail={sendsMail} />}
      {shown === 'registration' && <RegisterForm onSignedIn={onSignedIn} />}
      <Button variant="quiet" onClick={() => setShown('password')}>
        Back to sign in
      </Button>
    </>
  );
}

function PasswordForm({ onSignedIn, ...email }: FormProps) {
  const { run, isBusy, fields, problem } = useCalls((send, work: Work) => work(send), {
    onDone: () => onSignedIn(),
    leavesPage: true,
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const body = { email: readField(form, 'email').trim(), password: readField(form, 'password') };
    void run((send) => send('POST /api/auth/password', { body }));
  }

  return (
    <Form className={common['stack']} onSubmit={submit}>
      <ProblemAndEmail problem={problem} error={fields['email']} {...email} />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        error={fields['password']}
      />
      <Button type="submit" variant="primary" size="large" wide pending={isBusy}>
        <LogIn size={20} aria-hidden="true" />
        Sign In
      </Button>
      <Button size="large" wide pending={isBusy} onClick={() => void run(signWithPasskey)}>
        <KeyRound size={20} aria-hidden="true" />
        Use a passkey
      </Button>
    </Form>
  );
}

function RecoveryForm({ onSignedIn, sendsMail, ...email }: FormProps & { sendsMail: boolean }) {
  const { run, isBusy, fields, problem } = useCall('POST /api/auth/recover', {
    onDone: (replaced) => onSignedIn(findReviewPath(replaced)),
    leavesPage: true,
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const body = {
      email: readField(form, 'email').trim(),
      code: readField(form, 'code'),
      newPassword: readField(form, 'newPassword'),
    };
    void run({ body });
  }

  return (
    <Form className={common['stack']} onSubmit={submit}>
      <p className={common['note']}>
        {sendsMail
          ? 'Or use one of your recovery codes.'
          : 'Ask an administrator for a link to set a new password, or use one of your recovery codes.'}
      </p>
      <ProblemAndEmail problem={problem} error={fields['email']} {...email} />
      <TextField label="Recovery code" name="code" autoComplete="off" required error={fields['code']} />
      <NewPasswordField label="New password" name="newPassword" error={fields['newPassword']} />
      <Button type="submit" variant="primary" size="large" wide pending={isBusy}>
        Set new password
      </Button>
    </Form>
  );
}

type ProblemAndEmailProps = EmailProps & { problem: string | null; error: string | undefined };

/** Shows the problem of the last attempt, and the e-mail field that both forms begin with. */
function ProblemAndEmail({ problem, error, email, onEmail }: ProblemAndEmailProps) {
  return (
    <>
      <Failure boxed>{problem}</Failure>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        defaultValue={email}
        error={error}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
    </>
  );
}
