import { useState, type MouseEvent } from 'react';
import { MAIL_SECURITIES, MAIL_SECURITY_NAMES, type MailSecurity } from '#contract/mail/labels.ts';
import type { MailSettingsInput, MailStatus } from '#contract/mail/settings.ts';
import type { Send } from '#web/api/refresh.ts';
import { Button } from './button.tsx';
import { SelectField, TextField } from './field.tsx';
import styles from './mail-fields.module.css';
import { readField } from './read-field.ts';
import { useCalls } from './use-call.ts';

type Problems = Readonly<Record<string, string | undefined>>;

type MailFieldsProps = {
  problems: Problems;
  /** The current settings, if there are any. */
  mail?: MailStatus['mail'];
  readOnly?: boolean;
};

const PASSWORD_HINTS = {
  none: undefined,
  set: 'A password is set. Leave this empty to keep it.',
  unreadable: undefined,
};

/** Shows the fields of the mail server, for owners at the set-up and later. */
export function MailFields({ problems, mail = null, readOnly = false }: MailFieldsProps) {
  const state = mail?.password ?? 'none';
  const unreadable =
    state === 'unreadable' ? 'Enter the password again: COOKIE_SECRET of the server has changed.' : undefined;
  return (
    <>
      <ServerFields problems={problems} mail={mail} readOnly={readOnly} />
      <div className={styles['pair']}>
        <TextField
          label="User name at the mail server"
          name="mailUserName"
          autoComplete="off"
          readOnly={readOnly}
          defaultValue={mail?.userName}
          error={problems['userName']}
        />
        <TextField
          label="Password at the mail server"
          type="password"
          name="mailPassword"
          autoComplete="new-password"
          readOnly={readOnly}
          hint={readOnly && state === 'set' ? 'A password is set.' : PASSWORD_HINTS[state]}
          error={problems['password'] ?? unreadable}
        />
      </div>
      <TextField
        label="Sender"
        name="mailFrom"
        autoComplete="off"
        placeholder="Kart Club <laps@example.org>"
        hint="The address that mails come from. Most mail servers take only your own."
        readOnly={readOnly}
        defaultValue={mail?.from}
        error={problems['from']}
      />
    </>
  );
}

/** Keeps the encryption and the port, which follows the encryption until somebody enters another one. */
function useSecurity(mail: MailStatus['mail']) {
  const [security, setSecurity] = useState<MailSecurity>(mail?.security ?? 'starttls');
  const [port, setPort] = useState(String(mail?.port ?? MAIL_SECURITIES[security].port));

  function choose(name: string): void {
    const chosen = MAIL_SECURITY_NAMES.find((one) => one === name) ?? security;
    if (port === String(MAIL_SECURITIES[security].port)) setPort(String(MAIL_SECURITIES[chosen].port));
    setSecurity(chosen);
  }

  return { security, port, choose, setPort };
}

function ServerFields({ problems, mail, readOnly }: Required<MailFieldsProps>) {
  const { security, port, choose, setPort } = useSecurity(mail);
  return (
    <>
      <TextField
        label="Mail server"
        name="mailHost"
        autoComplete="off"
        placeholder="mail.example.org"
        readOnly={readOnly}
        defaultValue={mail?.host}
        error={problems['host']}
      />
      <div className={styles['pair']}>
        <SelectField
          label="Encryption"
          name="mailSecurity"
          value={security}
          disabled={readOnly}
          hint={
            security === 'none' && 'Only for a mail server that wants no password, or on this very computer.'
          }
          error={problems['security']}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {MAIL_SECURITY_NAMES.map((name) => (
            <option key={name} value={name}>
              {MAIL_SECURITIES[name].label}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Port"
          name="mailPort"
          inputMode="numeric"
          autoComplete="off"
          readOnly={readOnly}
          value={port}
          error={problems['port']}
          onChange={(event) => setPort(event.currentTarget.value)}
        />
      </div>
    </>
  );
}

/** Reads the input of the fields; null if they are empty. */
export function readMailFields(form: HTMLFormElement): MailSettingsInput | null {
  const [host, userName, password, from] = ['mailHost', 'mailUserName', 'mailPassword', 'mailFrom'].map(
    (name) => readField(form, name),
  );
  if (![host, userName, password, from].some(Boolean)) return null;
  return {
    host: host ?? '',
    port: Number(readField(form, 'mailPort')),
    security: MAIL_SECURITY_NAMES.find((name) => name === readField(form, 'mailSecurity')) ?? 'starttls',
    userName: userName ?? '',
    from: from ?? '',
    ...(password && { password }),
  };
}

type Outcome = { sentence: string; isBad: boolean };

/** Sends a test mail with `work`; says whether it is on its way, what came of it, and what is wrong with which field. */
export function useMailTest<Input = void>(work: (send: Send, input: Input) => Promise<{ sentTo: string }>) {
  const { run, isBusy, result, fields, sentence, problem, refuse } = useCalls(work, {
    refreshesAfterFailure: true,
  });
  let outcome: Outcome | null = null;
  if (sentence !== null) outcome = { sentence: problem ?? 'Look at the marked fields.', isBad: true };
  if (result !== null)
    outcome = {
      sentence: `The mail server accepted a test mail to ${result.sentTo}. Check that it arrived.`,
      isBad: false,
    };
  return { test: run, refuse, isTesting: isBusy, outcome, problems: fields };
}

type MailTestProps = {
  isTesting: boolean;
  outcome: Outcome | null;
  label: string;
  onTest: (form: HTMLFormElement) => void;
};

/** Shows the button of the test in a form, and the result. */
export function MailTest({ isTesting, outcome, label, onTest }: MailTestProps) {
  function start({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
    if (currentTarget.form) onTest(currentTarget.form);
  }
  return (
    <>
      <Button type="button" pending={isTesting} onClick={start}>
        {label}
      </Button>
      <output className={styles[outcome?.isBad ? 'refused' : 'taken']}>{outcome?.sentence}</output>
    </>
  );
}
