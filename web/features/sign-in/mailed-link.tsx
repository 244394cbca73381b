import type { SyntheticEvent } from 'react';
import type { MailedLinkKind } from '#contract/sign-in/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { findRefusal, LinkFailure, UnopenedLink, useLink } from './link-form.tsx';
import { useCall, useCalls } from '#web/ui/use-call.ts';

const BUTTONS: Record<MailedLinkKind, string> = {
  'sign-in': 'Sign in',
  confirmation: 'Confirm my address',
};

/**
 * Shows the button of a link that was mailed. Programs that open links of mails do not use it up, because they press no
 * button. Where the link has ended the password, it asks for a new one.
 */
export function MailedLink({ kind, onDone }: { kind: MailedLinkKind; onDone: () => void }) {
  const { user } = useCurrentUser();
  const link = useLink(kind);
  const { run, isBusy, sentence, error, result } = useCalls(
    (send, body: { token: string }): Promise<{ needsPassword: boolean }> =>
      kind === 'sign-in'
        ? send('POST /api/auth/sign-in-link', { body })
        : send('POST /api/auth/confirmation', { body }),
    {
      onDone: ({ needsPassword }) => {
        if (!needsPassword) onDone();
      },
      leavesPage: true,
    },
  );
  const { token, email, name } = link;
  const refusal = link.refusal ?? findRefusal(error);
  if (refusal !== null) return <LinkFailure problem={refusal} />;
  if (token === null) return <UnopenedLink {...link} />;
  if (result?.needsPassword) return <NewPassword onDone={onDone} />;
  if (kind === 'confirmation' && user === null) return <SignInFirst name={name} />;
  return (
    <div className={common['stack']}>
      <p>
        {kind === 'sign-in' ? 'You sign in as' : 'You confirm'} <strong>{email}</strong>
        {name !== null && (
          <>
            {' '}
            for the account of <strong>{name}</strong>
          </>
        )}
        .
      </p>
      <p className={common['note']}>
        If this address was never confirmed, you choose a new password then, and everything else that opened
        the account ends: other devices, passkeys, recovery codes, API tokens and linked providers.
      </p>
      <Failure boxed>{sentence}</Failure>
      <Button variant="primary" size="large" wide pending={isBusy} onClick={() => void run({ token })}>
        {BUTTONS[kind]}
      </Button>
    </div>
  );
}

/** Leads to the sign-in in another tab, because the token of the link must stay in this one. */
function SignInFirst({ name }: { name: string | null }) {
  return (
    <div className={common['stack']}>
      <p>
        This link confirms the address of the account of <strong>{name ?? 'a driver'}</strong>. If that is
        you, sign in to it in a new tab, then load this page again. If not, do nothing.
      </p>
      <a
        href="/login"
        target="_blank"
        rel="noopener"
        className={buttonClassName({ variant: 'primary', size: 'large', wide: true })}
      >
        Sign in (new tab)
      </a>
    </div>
  );
}

function NewPassword({ onDone }: { onDone: () => void }) {
  const { run, isBusy, fields, problem } = useCall('PUT /api/account/password', { onDone, leavesPage: true });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    void run({ body: { newPassword: readField(event.currentTarget, 'newPassword') } });
  }

  return (
    <Form className={common['stack']} onSubmit={submit}>
      <output className={common['note']}>
        Your address is confirmed. Whatever opened this account before has ended, the password too. Choose a
        new one.
      </output>
      <Failure boxed>{problem}</Failure>
      <NewPasswordField label="New password" name="newPassword" error={fields['newPassword']} />
      <Button type="submit" variant="primary" size="large" wide pending={isBusy}>
        Set new password
      </Button>
    </Form>
  );
}
