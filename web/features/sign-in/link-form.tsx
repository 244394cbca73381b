import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type SyntheticEvent } from 'react';
import {
  type MailedLinkKind,
  type MissingSetting,
  REGISTRATIONS,
  type LinkKind,
} from '#contract/sign-in/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { ApiError } from '#web/api/api-error.ts';
import type { Answer } from '#web/api/call-api.ts';
import type { Send } from '#web/api/refresh.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ClubFields } from '#web/ui/club-fields.tsx';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';
import { formatSentence } from '#web/ui/format.ts';
import { findReviewPath, type Replaced } from './review-path.ts';
import { EmailField, NameFields } from './account-fields.tsx';
import { readMailFields } from '#web/ui/mail-fields.tsx';
import { getChosenSets, SetUpTracks } from './set-up-tracks.tsx';
import { SetUpMail } from './set-up-mail.tsx';
import { FailedState, Failure, LoadingState } from '#web/ui/state-message.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import styles from './sign-in.module.css';
import { readField } from '#web/ui/read-field.ts';
import { useCalls } from '#web/ui/use-call.ts';

/** Links that ask for more than a click. */
export type FormLinkKind = Exclude<LinkKind, MailedLinkKind>;

/** Shows the form of a link, which creates the owner's account or a member's, or sets a new password. */
export function LinkForm({ kind, onSignedIn }: { kind: FormLinkKind; onSignedIn: (path?: string) => void }) {
  const link = useLink(kind);
  const { run, isBusy, fields, problem, error } = useCalls((send, form: SentForm) => sendForm(send, form), {
    onDone: (replaced) => onSignedIn(findReviewPath(replaced)),
    leavesPage: true,
  });
  const refusal = link.refusal ?? findRefusal(error);
  if (refusal !== null) return <LinkFailure problem={refusal} />;
  if (!link.token) return <UnopenedLink {...link} />;
  const { token, email, fixedRegistration } = link;

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    void run({ kind, token, form: event.currentTarget });
  }

  return (
    <Form className={common['stack']} onSubmit={submit}>
      <Failure boxed>{problem}</Failure>
      {kind === 'invitation' && <Invitation />}
      {kind !== 'reset' && <NameFields fields={fields} />}
      <EmailField email={email} error={fields['email']} />
      <NewPasswordField
        label={kind === 'reset' ? 'New password' : 'Password'}
        name="newPassword"
        error={fields['newPassword'] ?? fields['password']}
      />
      {kind === 'set-up' && <ClubFields fields={fields} fixedRegistration={fixedRegistration} />}
      {kind === 'set-up' && <SetUpTracks />}
      {link.missing.includes('mail') && <SetUpMail token={token} fields={fields} />}
      {link.missing.length > 0 && <Missing settings={link.missing} />}
      <Button type="submit" variant="primary" size="large" wide pending={isBusy}>
        {BUTTONS[kind]}
      </Button>
    </Form>
  );
}

function Invitation() {
  const { data: methods } = useQuery(apiQuery('GET /api/auth/sign-in-methods'));
  if (!methods?.clubName) return null;
  return (
    <p className={common['note']}>
      You are invited to {methods.clubName}. Make an account to put your laps on its boards.
    </p>
  );
}

/** Says that a link is opened, or that the server could not be asked what it is good for. */
export function UnopenedLink({ problem, open }: { problem: string | null; open: () => void }) {
  if (problem === null) return <LoadingState>Opening the link...</LoadingState>;
  return (
    <FailedState title="The link could not be opened." onRetry={open}>
      {problem}
    </FailedState>
  );
}

/** Explains why the server refuses a link, and how to continue. */
export function LinkFailure({ problem }: { problem: string }) {
  return (
    <div className={common['stack']}>
      <Failure boxed>{problem}</Failure>
      <ButtonLink href="/login" size="large" wide>
        Go to Sign In
      </ButtonLink>
    </div>
  );
}

const MISSING_SENTENCES: Record<MissingSetting, string> = {
  mail: 'Mail: without a mail server you hand out invitations and links for a new password yourself, and no digests are sent.',
  backups: 'Backups: BACKUP_TARGET is not set, so none are made.',
  updates: 'News of newer versions: UPDATE_URL is not set.',
};

/** Lists the settings of the server that the owner may add now or later. */
function Missing({ settings }: { settings: readonly MissingSetting[] }) {
  return (
    <section aria-label="Still missing" className={styles['missing']}>
      <p>Not set yet:</p>
      <ul>
        {settings.map((setting) => (
          <li key={setting}>{MISSING_SENTENCES[setting]}</li>
        ))}
      </ul>
      <p>All of it can wait. The page Operations of your club shows the state of each.</p>
    </section>
  );
}

const BUTTONS: Record<FormLinkKind, string> = {
  'set-up': 'Set up the site',
  invitation: 'Make my account',
  reset: 'Set new password',
};

/** The token of a link, with the data that the server gives for it. */
type OpenLink = { token: string } & Pick<
  Answer<'POST /api/auth/link'>,
  'email' | 'name' | 'missing' | 'fixedRegistration'
>;

const NOTHING = { token: null, email: null, name: null, missing: [], fixedRegistration: null };

/** Reads the token behind the `#` and asks what it is good for. */
export function useLink(kind: LinkKind) {
  const { run, result, error, sentence } = useCalls(async (send, asked: LinkKind): Promise<OpenLink> => {
    const token = window.location.hash.slice(1);
    return { token, ...(await send('POST /api/auth/link', { body: { kind: asked, token } })) };
  });
  const open = useEffectEvent((asked: LinkKind) => void run(asked));
  useEffect(() => open(kind), [kind]);
  return {
    ...(result ?? NOTHING),
    refusal: findRefusal(error),
    problem: sentence,
    open: () => void run(kind),
  };
}

/** Returns why the server refuses the token of a link for good; null for any other failure, after which a link still works. */
export function findRefusal(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const { code, fields, sentence } = error;
  const problem = fields['token'] ?? (code === 'not_found' ? sentence : null);
  return problem && formatSentence(problem);
}

type SentForm = { kind: FormLinkKind; token: string; form: HTMLFormElement };

async function sendForm(send: Send, { kind, token, form }: SentForm): Promise<Replaced | null> {
  const read = (name: string) => readField(form, name);
  const newPassword = read('newPassword');
  if (kind === 'reset') return await send('POST /api/auth/reset', { body: { token, newPassword } });
  const account = {
    token,
    firstName: read('firstName'),
    lastName: read('lastName'),
    email: read('email').trim(),
    password: newPassword,
  };
  if (kind === 'invitation') {
    await send('POST /api/auth/invitation', { body: account });
    return null;
  }
  const registration = REGISTRATIONS.find((one) => one === read('registration')) ?? 'invited';
  const club = { clubName: read('clubName'), timeZone: read('timeZone'), registration };
  const mail = readMailFields(form);
  await send('POST /api/auth/set-up', { body: { ...account, ...club, ...(mail && { mail }) } });
  await getChosenSets(send, form);
  return null;
}
