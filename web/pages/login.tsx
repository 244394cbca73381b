import { useQuery } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { Redirect, useSearchParams } from 'wouter';
import { SIGN_IN_ERRORS } from '#contract/sign-in-errors.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { safeReturnPath } from '#web/shell/return-path.ts';
import { buttonClassName } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { PendingPage } from '#web/ui/state-message.tsx';
import styles from './login.module.css';

/** Leads to the sign-in provider; a user who is signed in already is redirected. */
export function Page() {
  const { user, isPending } = useCurrentUser();
  const [search] = useSearchParams();
  const returnTo = safeReturnPath(search.get('returnTo'));
  if (isPending || user) {
    return (
      <>
        <PendingPage>Checking authentication...</PendingPage>
        {user && <Redirect to={returnTo} replace />}
      </>
    );
  }
  return (
    <PageColumn width="card">
      <LoginCard returnTo={returnTo} error={errorSentence(search.get('error'))} />
    </PageColumn>
  );
}

function LoginCard({ returnTo, error }: { returnTo: string; error: string | null }) {
  const { data: provider } = useQuery(apiQuery('GET /api/auth/provider'));
  return (
    <Card className={styles['card']}>
      <PageTitle documentTitle="Sign In" className={styles['title']}>
        Sign In to Pitboard
      </PageTitle>
      <p className={styles['text']}>Upload laps, keep your garage and find your name on the boards.</p>
      {error && (
        <p className={styles['failed']} role="alert">
          {error}
        </p>
      )}
      {/* A navigation of the browser, away from this application. */}
      <a
        href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`}
        className={buttonClassName({ variant: 'primary', size: 'large', wide: true })}
      >
        <LogIn size={20} aria-hidden="true" />
        Continue with {provider?.name ?? 'your sign-in provider'}
      </a>
      {provider?.isLocal && (
        <p className={styles['note']}>
          This sign-in is for local use: it runs inside this server and offers a few ready-made accounts
          without passwords.
        </p>
      )}
    </Card>
  );
}

// An unknown code is not shown: a link must not choose the words of this page.
function errorSentence(code: string | null): string | null {
  if (code === null) return null;
  const known = Object.entries(SIGN_IN_ERRORS).find(([name]) => name === code);
  return known ? known[1] : SIGN_IN_ERRORS.failed;
}
