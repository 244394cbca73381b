import type { ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import type { User } from '#contract/people/schemas.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { PendingPage } from '#web/ui/state-message.tsx';
import { loginPath } from './return-path.ts';

type SignedInProps = {
  /** The text until the current user is known, and until a visitor has been redirected. */
  pendingText: string;
  children: (user: User) => ReactNode;
};

/** Shows a page for signed-in users: a visitor is redirected to the login page, and returns from there. */
export function SignedIn({ pendingText, children }: SignedInProps) {
  const { user, isPending } = useCurrentUser();
  const [path] = useLocation();
  const search = useSearch();
  if (user) return children(user);
  return (
    <>
      <PendingPage>{pendingText}</PendingPage>
      {!isPending && <Redirect to={loginPath(path, search)} replace />}
    </>
  );
}
