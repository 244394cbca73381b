import { useQuery, type QueryClient } from '@tanstack/react-query';
import LogIn from 'lucide-react/icons/log-in';
import { Redirect, useSearchParams } from 'wouter';
import { LINK_KINDS, type LinkKind, SIGN_IN_ERRORS } from '#contract/sign-in/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { LinkForm } from '#web/features/sign-in/link-form.tsx';
import { MailedLink } from '#web/features/sign-in/mailed-link.tsx';
import { OwnSignIn } from '#web/features/sign-in/own-sign-in.tsx';
import { safeReturnPath } from '#web/shell/return-path.ts';
import { buttonClassName } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { Failure, PendingPage, QueryState } from '#web/ui/state-message.tsx';
import common from '#web/ui/common.module.css';
import styles from './login.module.css';

/** Fetches the sign-in methods, so that the page does not change after it is shown. */
export async function prefetch(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(apiQuery('GET /api/auth/provider')),
    queryClient.prefetchQuery(apiQuery('GET /api/auth/sign-in-methods')),
  ]);
}

/** Signs in with an account of this server or a passkey, or leads to the sign-in provider; a user who is signed in already is redirected. */
export function Page() {
  const { user, isPending } = useCurrentUser();
  const [search] = useSearchParams();
  const returnTo = safeReturnPath(search.get('returnTo'));
  // A user who changes a sign-in method may have to sign in once more.
  if (isPending || (user && !search.has('again') && !search.has('link'))) {
    return (
      <>
        <PendingPage>Checking authentication...</PendingPage>
        {user && <Redirect to={returnTo} replace />}
      </>
    );
  }
  const link = LINK_KINDS.find((kind) => kind === search.get('link'));
  return (
    <PageColumn width="card">
      {link ? (
        <LinkCard kind={link} returnTo={returnTo} />
      ) : (
        <LoginCard returnTo={returnTo} error={errorSentence(search.get('error'))} />
      )}
    </PageColumn>
  );
}

/** Opens a path with a full page load, so that data fetched for the guest are fetched again for the user. */
function open(path: string): void {
  window.location.assign(path);
}

const LINK_TITLES: Record<LinkKind, string> = {
  'set-up': 'Set Up Pitboard',
  invitation: 'Join the Club',
  reset: 'Choose a New Password',
  'sign-in': 'Sign In to Pitboard',
  confirmation: 'Confirm Your Address',
};

function LinkCard({ kind, returnTo }: { kind: LinkKind; returnTo: string }) {
  return (
    <Card className={styles['card']}>
      <PageTitle documentTitle={LINK_TITLES[kind]} className={styles['title']}>
        {LINK_TITLES[kind]}
      </PageTitle>
      {kind === 'sign-in' || kind === 'confirmation' ? (
        <MailedLink kind={kind} onDone={() => open(returnTo)} />
      ) : (
        <LinkForm kind={kind} onSignedIn={(path = returnTo) => open(path)} />
      )}
    </Card>
  );
}

function LoginCard({ returnTo, error }: { returnTo: string; error: string | null }) {
  const methods = useQuery(apiQuery('GET /api/auth/sign-in-methods'));
  return (
    <Card className={styles['card']}>
      <PageTitle documentTitle="Sign In" className={styles['title']}>
        Sign In to Pitboard
      </PageTitle>
      <p className={common['muted']}>Upload laps, keep your garage and find your name on the boards.</p>
      <Failure boxed>{error}</Failure>
      <QueryState noun="ways to sign in" query={methods} />
      {methods.data && <SignInMethods methods={methods.data} returnTo={returnTo} />}
    </Card>
  );
}

type SignInMethodsProps = { methods: Answer<'GET /api/auth/sign-in-methods'>; returnTo: string };

function SignInMethods({ methods, returnTo }: SignInMethodsProps) {
  const { data: provider } = useQuery(apiQuery('GET /api/auth/provider'));
  const { hasPasswords } = methods;
  return (
    <>
      {hasPasswords && (
        <OwnSignIn
          sendsMail={methods.sendsMail}
          isOpen={methods.registration === 'open'}
          onSignedIn={(path = returnTo) => open(path)}
        />
      )}
      {(!hasPasswords || methods.provider) && (
        <ProviderLink returnTo={returnTo} isPrimary={!hasPasswords} name={provider?.name} />
      )}
      {!methods.isSetUp && (
        <p className={styles['note']}>
          This site has no owner yet. The server printed a set-up link when it started.
        </p>
      )}
      {provider?.isLocal && <LocalNote />}
    </>
  );
}

function LocalNote() {
  return (
    <p className={styles['note']}>
      This sign-in is for local use: it runs inside this server and offers a few ready-made accounts without
      passwords.
    </p>
  );
}

type ProviderLinkProps = { returnTo: string; isPrimary: boolean; name: string | undefined };

/** Leads to the provider with a navigation of the browser, outside of this application. */
function ProviderLink({ returnTo, isPrimary, name = 'your sign-in provider' }: ProviderLinkProps) {
  return (
    <a
      href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`}
      className={buttonClassName({ variant: isPrimary ? 'primary' : 'secondary', size: 'large', wide: true })}
    >
      <LogIn size={20} aria-hidden="true" />
      Continue with {name}
    </a>
  );
}

// An unknown code is not shown: a link must not choose the text of this page.
function errorSentence(code: string | null): string | null {
  if (code === null) return null;
  const known = Object.entries(SIGN_IN_ERRORS).find(([name]) => name === code);
  return known ? known[1] : SIGN_IN_ERRORS.failed;
}
