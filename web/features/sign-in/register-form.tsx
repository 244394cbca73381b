import type { SyntheticEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { EmailField, NameFields } from './account-fields.tsx';

/** Makes an account without an invitation, where the owner lets anybody in. */
export function RegisterForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { run, isBusy, fields, problem } = useCall('POST /api/auth/register', {
    onDone: () => onSignedIn(),
    leavesPage: true,
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const read = (name: string) => readField(event.currentTarget, name);
    const body = {
      firstName: read('firstName'),
      lastName: read('lastName'),
      email: read('email').trim(),
      password: read('newPassword'),
    };
    void run({ body });
  }

  return (
    <Form className={common['stack']} onSubmit={submit}>
      <Failure boxed>{problem}</Failure>
      <NameFields fields={fields} />
      <EmailField error={fields['email']} />
      <NewPasswordField label="Password" name="newPassword" error={fields['password']} />
      <Button type="submit" variant="primary" size="large" wide pending={isBusy}>
        Make my account
      </Button>
    </Form>
  );
}
