import { useState, type SyntheticEvent } from 'react';
import { callApi } from '#web/api/call-api.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import styles from './sign-in.module.css';
import { readField, useSubmit } from '#web/ui/use-submit.ts';

type MailMeALinkProps = { purpose: 'reset' | 'sign-in'; email: string };

/** Has a link mailed. The answer is the same whether or not there is an account, and so are the words. */
export function MailMeALink({ purpose, email: typed }: MailMeALinkProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { submit, isSending, fields, problem } = useSubmit(() => undefined);

  function send(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const email = readField(event.currentTarget, 'email').trim();
    void submit(async () => {
      const body = { email };
      if (purpose === 'reset') await callApi('POST /api/auth/reset/mail', { body });
      else await callApi('POST /api/auth/sign-in-link/mail', { body });
      setSentTo(email);
    });
  }

  if (sentTo !== null)
    return (
      <output className={styles['hint']}>
        If there is an account with {sentTo}, a mail with a link is on its way. Look into the spam folder too.
      </output>
    );
  return (
    <form noValidate className={styles['form']} onSubmit={send}>
      {problem && (
        <p className={styles['failed']} role="alert">
          {problem}
        </p>
      )}
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        defaultValue={typed}
        error={fields['email']}
      />
      <Button type="submit" variant="primary" size="large" wide pending={isSending}>
        {purpose === 'reset' ? 'Mail me a link for a new password' : 'Mail me a link to sign in'}
      </Button>
    </form>
  );
}
