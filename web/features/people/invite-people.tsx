import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ROLES } from '#contract/people/labels.ts';
import { INVITATION_DAYS_MAX, INVITATION_USES_MAX } from '#contract/sign-in/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { RequestFor } from '#web/api/call-api.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { useCalls } from '#web/ui/use-call.ts';
import { AdminCard } from '#web/ui/admin-card.tsx';
import styles from '#web/ui/admin.module.css';
import { OneTimeLink } from './one-time-link.tsx';
import { ROLE_LABELS } from './role-labels.ts';

type Invitation = RequestFor<'POST /api/admin/invitations'>['body'];

/** Makes invitations: a link and its QR code. */
export function InvitePeople() {
  const [role, setRole] = useState<(typeof ROLES)[number]>('member');
  const [uses, setUses] = useState('1');
  const [days, setDays] = useState('7');
  const [email, setEmail] = useState('');
  const { url, run } = useInviting();

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    const address = email.trim();
    const body = { role, uses: Number(uses), days: Number(days), ...(address !== '' && { email: address }) };
    void run(body);
  }

  return (
    <AdminCard title="Invite People" lead="Send the link, or let them scan the code.">
      <form className={styles['filters']} onSubmit={submit}>
        <SelectField
          label="Role"
          value={role}
          onChange={(event) => setRole(ROLES.find((one) => one === event.currentTarget.value) ?? 'member')}
        >
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {ROLE_LABELS[one]}
            </option>
          ))}
        </SelectField>
        <TextField
          label="For how many people"
          type="number"
          min={1}
          max={INVITATION_USES_MAX}
          required
          value={uses}
          onChange={(event) => setUses(event.currentTarget.value)}
        />
        <TextField
          label="Days it works"
          type="number"
          min={1}
          max={INVITATION_DAYS_MAX}
          required
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <MailToField value={email} onChange={setEmail} />
        <Button type="submit" variant="primary">
          Make invitation
        </Button>
      </form>
      {url && <OneTimeLink title="Copy the link now: it is not shown again." url={url} />}
    </AdminCard>
  );
}

function useInviting() {
  const [url, setUrl] = useState<string | null>(null);
  const { run } = useCalls(
    async (send, body: Invitation) => ({ ...(await send('POST /api/admin/invitations', { body })), ...body }),
    {
      success: ({ email: mailedTo }) =>
        mailedTo === undefined
          ? null
          : { title: 'Invitation Mailed', description: `It is on its way to ${mailedTo}.` },
      failure: 'Not Invited',
      onDone: (made) => setUrl(made.url),
    },
  );
  return { url, run };
}

function MailToField({ value, onChange }: { value: string; onChange: (email: string) => void }) {
  const { data: methods } = useQuery(apiQuery('GET /api/auth/sign-in-methods'));
  if (!methods?.sendsMail) return null;
  return (
    <TextField
      label="Mail it to one person (optional)"
      type="email"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
