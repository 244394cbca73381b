import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { MailSettingsInput } from '#contract/mail/settings.ts';
import { MAIL_KINDS, MAIL_LABELS, type MailKind } from '#contract/mail/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { MailFields, MailTest, readMailFields, useMailTest } from '#web/ui/mail-fields.tsx';
import { EmptyState, Failure, QueryState } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from '#web/ui/card-list.module.css';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';

type MailStatus = Answer<'GET /api/admin/mail'>;

/** Shows the mail server, a test, and a preview of each mail, in a dialog. */
export function MailCard() {
  const { user } = useCurrentUser();
  const query = useQuery(apiQuery('GET /api/admin/mail'));
  const { data } = query;
  const [saves, setSaves] = useState(0);
  const isOwner = user?.role === 'owner';
  return (
    <div className={common['stack']}>
      <p className={common['lead']}>
        Invitations, links for a new password, and a daily digest for drivers who switched Email Updates on.
      </p>
      <QueryState noun="mail settings" query={query} />
      {data && isOwner && !data.isFixed && (
        <MailForm key={saves} mail={data.mail} onSaved={() => setSaves(saves + 1)} />
      )}
      {data && !(isOwner && !data.isFixed) && <FixedMail {...data} />}
      <Preview />
    </div>
  );
}

/** Shows the settings to users who cannot change them here. */
function FixedMail({ mail, isFixed }: MailStatus) {
  const { test, isTesting, outcome } = useMailTest((send) => send('POST /api/admin/mail/test'));
  if (!mail)
    return <EmptyState title="No mail is sent">An owner of the site enters the mail server here.</EmptyState>;
  return (
    <Form className={styles['form']} onSubmit={(event) => event.preventDefault()}>
      <p className={styles['target']}>
        {isFixed
          ? 'The settings SMTP_URL and MAIL_FROM of the server say this. It is changed there.'
          : 'Only owners change it.'}
      </p>
      <MailFields problems={{}} mail={mail} readOnly />
      <div className={styles['bar']}>
        <MailTest
          isTesting={isTesting}
          outcome={outcome}
          label="Send Me a Test Mail"
          onTest={() => void test()}
        />
      </div>
    </Form>
  );
}

function MailForm({ mail, onSaved }: Pick<MailStatus, 'mail'> & { onSaved: () => void }) {
  const saving = useCall('PUT /api/admin/mail', {
    success: { title: 'Mail Settings Saved', description: 'They hold from now on.' },
    onDone: onSaved,
    // The sign-in may have become too old in the meantime.
    refreshesAfterFailure: true,
  });
  const { test, refuse, problems, ...state } = useMailTest((send, body: MailSettingsInput) =>
    send('POST /api/admin/mail/settings/test', { body }),
  );

  function save(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const body = readMailFields(event.currentTarget);
    if (!body) saving.refuse('Enter the mail server first.');
    else void saving.run({ body });
  }

  function tryOut(form: HTMLFormElement): void {
    const body = readMailFields(form);
    if (!body) refuse('Enter the mail server first.');
    else void test(body);
  }

  return (
    <>
      <Form className={styles['form']} onSubmit={save}>
        {!mail && <p className={styles['target']}>No mail is sent until a mail server is entered.</p>}
        <SignInAgain />
        <Failure>{saving.problem}</Failure>
        <MailFields problems={{ ...problems, ...saving.fields }} mail={mail} />
        <div className={styles['actions']}>
          <MailTest {...state} label="Send Test Mail" onTest={tryOut} />
          <Button type="submit" variant="primary" pending={saving.isBusy}>
            Save
          </Button>
        </div>
      </Form>
      {mail && <Removal onRemoved={onSaved} />}
    </>
  );
}

/** The link opens a new tab, so that input on this page is not lost. */
function SignInAgain() {
  const { data } = useQuery({
    ...apiQuery('GET /api/account/credentials'),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
  if (data?.isRecent !== false) return null;
  const returnTo = encodeURIComponent('/club/operations?open=mail');
  return (
    <div className={styles['bar']}>
      <p className={styles['target']}>You signed in a while ago. To test or save, sign in again.</p>
      <a
        className={buttonClassName({})}
        href={`/login?again=1&returnTo=${returnTo}`}
        target="_blank"
        rel="noopener"
      >
        Sign in again (new tab)
      </a>
    </div>
  );
}

function Removal({ onRemoved }: { onRemoved: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles['bar']}>
      <Button onClick={() => setIsOpen(true)}>Stop Sending Mail</Button>
      {isOpen && (
        <ConfirmDialog
          title="Stop sending mail?"
          confirmText="Stop Sending Mail"
          onConfirm={(send) => send('DELETE /api/admin/mail')}
          onDone={onRemoved}
          onClose={() => setIsOpen(false)}
        >
          <p>The mail server and its password are forgotten. Mails that wait are not sent.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Preview() {
  const [kind, setKind] = useState<MailKind | null>(null);
  return (
    <div>
      <SelectField
        label="Look at a mail"
        value={kind ?? ''}
        onChange={(event) => setKind(MAIL_KINDS.find((one) => one === event.currentTarget.value) ?? null)}
      >
        <option value="">None</option>
        {MAIL_KINDS.map((one) => (
          <option key={one} value={one}>
            {MAIL_LABELS[one]}
          </option>
        ))}
      </SelectField>
      {kind && (
        <>
          <iframe
            className={styles['mail']}
            sandbox=""
            src={`/api/admin/mail/previews/${kind}`}
            title={`${MAIL_LABELS[kind]} with example data`}
          />
          <p className={styles['target']}>
            <a href={`/api/admin/mail/previews/${kind}?part=text`} target="_blank" rel="noopener">
              The same mail as plain text
            </a>
          </p>
        </>
      )}
    </div>
  );
}
