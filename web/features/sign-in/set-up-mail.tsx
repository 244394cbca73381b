import type { RequestFor } from '#web/api/call-api.ts';
import { MailFields, MailTest, readMailFields, useMailTest } from '#web/ui/mail-fields.tsx';
import { readField } from '#web/ui/read-field.ts';
import styles from './sign-in.module.css';

type TestBody = RequestFor<'POST /api/auth/set-up/mail-test'>['body'];

/** Shows the fields of the mail server, which may be set up later. */
export function SetUpMail({ token, fields }: { token: string; fields: Readonly<Record<string, string>> }) {
  const { test, refuse, problems, ...state } = useMailTest((send, body: TestBody) =>
    send('POST /api/auth/set-up/mail-test', { body }),
  );

  function tryOut(form: HTMLFormElement): void {
    const mail = readMailFields(form);
    const to = readField(form, 'email').trim();
    if (!mail) refuse('Enter the mail server first.');
    else if (to === '') refuse('Enter your own address above first: the test goes there.');
    else void test({ token, to, mail });
  }

  return (
    <details className={styles['mail']}>
      <summary>Mail server, now or later</summary>
      <MailFields problems={{ ...pickMailProblems(problems), ...pickMailProblems(fields) }} />
      <MailTest {...state} label="Send Test Mail" onTest={tryOut} />
    </details>
  );
}

/** Picks the problems of the mail server's fields, which the calls name `mail.host` and so on. */
function pickMailProblems(
  fields: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const prefix = 'mail.';
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, problem]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), problem]] : [],
    ),
  );
}
