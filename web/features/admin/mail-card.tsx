import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAIL_KINDS, MAIL_LABELS, type MailKind } from '#contract/mail-labels.ts';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import styles from './operations.module.css';

/** Whether the server sends mail, a test, and what each mail looks like. */
export function MailCard() {
  const { data, isPending, isError, refetch } = useQuery(apiQuery('GET /api/admin/mail'));
  const [isSending, setIsSending] = useState(false);

  async function sendTest(): Promise<void> {
    setIsSending(true);
    try {
      const { sentTo } = await callApi('POST /api/admin/mail/test');
      showToast({ title: 'Test Mail Sent', description: `The mail server took it for ${sentTo}.` });
    } catch (error) {
      showToast({ title: 'Test Mail Failed', description: describeError(error), destructive: true });
    }
    setIsSending(false);
  }

  return (
    <AdminCard
      title="E-mail"
      lead="Invitations, links for a new password, and a daily digest for drivers who switched Email Updates on."
    >
      {isPending && <LoadingState>Loading mail settings...</LoadingState>}
      {isError && <FailedState title="Could not load the mail settings" onRetry={() => void refetch()} />}
      {data?.mail === null && (
        <EmptyState title="No mail is sent">
          Set SMTP_URL and MAIL_FROM to your mail server and a sender, and start the server again.
        </EmptyState>
      )}
      {data?.mail && (
        <div className={styles['bar']}>
          <span className={styles['target']}>
            Sent by {data.mail.from} through {data.mail.server}
          </span>
          <Button pending={isSending} onClick={() => void sendTest()}>
            Send Me a Test Mail
          </Button>
        </div>
      )}
      <Preview />
    </AdminCard>
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
