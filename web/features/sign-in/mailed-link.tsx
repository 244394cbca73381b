import type { MailedLinkKind } from '#contract/sign-in/labels.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingState } from '#web/ui/state-message.tsx';
import { LinkFailure, useLink } from './link-form.tsx';
import styles from './sign-in.module.css';
import { useCalls } from '#web/ui/use-call.ts';

const WORDS: Record<MailedLinkKind, { ask: string; button: string }> = {
  'sign-in': { ask: 'You sign in as', button: 'Sign in' },
  confirmation: { ask: 'Your mails go to', button: 'Confirm my address' },
};

/**
 * Shows the button of a link that was mailed. Programs that open links of mails do not use it up, because they press no
 * button.
 */
export function MailedLink({ kind, onDone }: { kind: MailedLinkKind; onDone: () => void }) {
  const link = useLink(kind);
  const { run, isBusy, problem } = useCalls(
    (send, body: { token: string }): Promise<unknown> =>
      kind === 'sign-in'
        ? send('POST /api/auth/sign-in-link', { body })
        : send('POST /api/auth/confirmation', { body }),
    { onDone, leavesPage: true },
  );
  const { token, email } = link;
  const failure = link.problem ?? problem;
  if (failure !== null) return <LinkFailure problem={failure} />;
  if (token === null) return <LoadingState>Opening the link...</LoadingState>;
  return (
    <div className={styles['form']}>
      <p>
        {WORDS[kind].ask} <strong>{email}</strong>.
      </p>
      <Button variant="primary" size="large" wide pending={isBusy} onClick={() => void run({ token })}>
        {WORDS[kind].button}
      </Button>
    </div>
  );
}
