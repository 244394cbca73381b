import { useQuery } from '@tanstack/react-query';
import UserPlus from 'lucide-react/icons/user-plus';
import { useState, type SyntheticEvent } from 'react';
import { mayChangeRole, ROLE_LABELS, ROLES } from '#contract/people/labels.ts';
import { INVITATION_DAYS_MAX, INVITATION_USES_MAX } from '#contract/sign-in/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { RequestFor } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { readField } from '#web/ui/read-field.ts';
import { useCalls } from '#web/ui/use-call.ts';
import { OneTimeLink } from './one-time-link.tsx';

type Invitation = RequestFor<'POST /api/admin/invitations'>['body'];

/** Opens the form that makes invitations. */
export function InvitePeople() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setIsOpen(true)}>
        <UserPlus size={18} aria-hidden="true" />
        Invite people
      </Button>
      {isOpen && (
        <Dialog width="form" title="Invite People" onClose={() => setIsOpen(false)}>
          <InvitationForm />
        </Dialog>
      )}
    </>
  );
}

/** Makes invitations: a link and its QR code. */
function InvitationForm() {
  const { url, run, refuse, isBusy, fields } = useInviting();

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const invitation = readInvitation(event.currentTarget);
    const problems = findProblems(invitation);
    if (Object.keys(problems).length > 0) refuse(null, problems);
    else void run(invitation);
  }

  return (
    <div className={common['stack']}>
      <p className={common['lead']}>Send the link, or let them scan the code.</p>
      <Form className={common['list']} onSubmit={submit}>
        <RoleField />
        <TextField
          label="For how many people"
          type="number"
          min={1}
          max={INVITATION_USES_MAX}
          required
          name="uses"
          error={fields['uses']}
          defaultValue="1"
        />
        <TextField
          label="Days it works"
          type="number"
          min={1}
          max={INVITATION_DAYS_MAX}
          required
          name="days"
          error={fields['days']}
          defaultValue="7"
        />
        <MailToField problem={fields['email']} />
        <Button type="submit" variant="primary" pending={isBusy}>
          Make invitation
        </Button>
      </Form>
      {url && <OneTimeLink title="Copy the link now: it is not shown again." url={url} />}
    </div>
  );
}

/** Offers the roles that this person may give. */
function RoleField() {
  const { user } = useCurrentUser();
  return (
    <SelectField label="Role" name="role" defaultValue="member">
      {ROLES.filter((one) => mayChangeRole(user, 'member', one)).map((one) => (
        <option key={one} value={one}>
          {ROLE_LABELS[one]}
        </option>
      ))}
    </SelectField>
  );
}

function useInviting() {
  const [url, setUrl] = useState<string | null>(null);
  const { run, ...state } = useCalls(
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
  return { url, run, ...state };
}

function findProblems({ uses = 1, days = 1 }: Invitation): Record<string, string> {
  return {
    ...(!isWithin(uses, INVITATION_USES_MAX) && { uses: `Enter 1 to ${INVITATION_USES_MAX}.` }),
    ...(!isWithin(days, INVITATION_DAYS_MAX) && { days: `Enter 1 to ${INVITATION_DAYS_MAX}.` }),
  };
}

function isWithin(count: number, max: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= max;
}

function readInvitation(form: HTMLFormElement): Invitation {
  const email = readField(form, 'email').trim();
  return {
    role: ROLES.find((one) => one === readField(form, 'role')) ?? 'member',
    uses: Number(readField(form, 'uses')),
    days: Number(readField(form, 'days')),
    ...(email !== '' && { email }),
  };
}

function MailToField({ problem }: { problem: string | undefined }) {
  const { data: methods } = useQuery(apiQuery('GET /api/auth/sign-in-methods'));
  if (!methods?.sendsMail) return null;
  return <TextField label="Mail it to one person (optional)" type="email" name="email" error={problem} />;
}
