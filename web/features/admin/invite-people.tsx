import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ROLES } from '#contract/permissions.ts';
import { INVITATION_DAYS_MAX, INVITATION_USES_MAX } from '#contract/registration.ts';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import styles from './admin.module.css';
import { OneTimeLink } from './one-time-link.tsx';
import { ROLE_LABELS } from './role-labels.ts';

/** Makes invitations: a link and its QR code. */
export function InvitePeople() {
  const queryClient = useQueryClient();
  const [role, setRole] = useState<(typeof ROLES)[number]>('member');
  const [uses, setUses] = useState('1');
  const [days, setDays] = useState('7');
  const [email, setEmail] = useState('');
  const [url, setUrl] = useState<string | null>(null);

  async function show(invitation: Invitation): Promise<void> {
    const made = await invite(invitation);
    if (made !== null) setUrl(made);
    await refresh(['admin'], queryClient);
  }

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    const address = email.trim();
    const body = { role, uses: Number(uses), days: Number(days), ...(address !== '' && { email: address }) };
    void show(body);
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

type Invitation = { role: (typeof ROLES)[number]; uses: number; days: number; email?: string };

/** The link of a new invitation; null where none was made, which a toast explains. */
async function invite(body: Invitation): Promise<string | null> {
  try {
    const { url } = await callApi('POST /api/admin/invitations', { body });
    if (body.email !== undefined)
      showToast({ title: 'Invitation Mailed', description: `It is on its way to ${body.email}.` });
    return url;
  } catch (error) {
    showToast({ title: 'Not Invited', description: describeError(error), destructive: true });
    return null;
  }
}

function MailToField({ value, onChange }: { value: string; onChange: (email: string) => void }) {
  const { data: ways } = useQuery(apiQuery('GET /api/auth/ways'));
  if (!ways?.sendsMail) return null;
  return (
    <TextField
      label="Mail it to one person (optional)"
      type="email"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
