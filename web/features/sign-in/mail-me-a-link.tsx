import type { SyntheticEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { useCalls } from '#web/ui/use-call.ts';

/** Requests a link by mail. The answer and the message are the same with and without an account. */
export function MailMeALink({ purpose, email: typed }: { purpose: 'reset' | 'sign-in'; email: string }) {
  const {
    run,
    isBusy,
    fields,
    problem,
    result: sentTo,
  } = useCalls(async (send, to: string) => {
    const body = { email: to };
    if (purpose === 'reset') await send('POST /api/auth/reset/mail', { body });
    else await send('POST /api/auth/sign-in-link/mail', { body });
    return to;
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    void run(readField(event.currentTarget, 'email').trim());
  }

  if (sentTo !== null)
    return (
      <output className={common['note']}>
        If there is an account with {sentTo}, a mail with a link is on its way. Look into the spam folder too.
      </output>
    );
  return (
    <Form className={common['stack']} onSubmit={submit}>
      <Failure boxed>{problem}</Failure>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        defaultValue={typed}
        error={fields['email']}
      />
      <Button type="submit" variant="primary" size="large" wide pending={isBusy}>
        {purpose === 'reset' ? 'Mail me a link for a new password' : 'Mail me a link to sign in'}
      </Button>
    </Form>
  );
}
