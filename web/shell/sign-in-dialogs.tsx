import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import type { User } from '#contract/people/schemas.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { clearSessionExpired } from '#web/api/session-expired.ts';
import { clearSignInAgain } from '#web/api/sign-in-again.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { focusInDialog } from '#web/ui/modals.ts';

export function SessionExpiredDialog({ user: { id } }: { user: User }) {
  const queryClient = useQueryClient();
  async function checkUser(): Promise<void> {
    const user = await callApi('GET /api/auth/user').catch(() => null);
    if (user === null) return;
    // Another user has signed in, to whom this page's data do not belong.
    if (user.id !== id) window.location.reload();
    clearSessionExpired();
    await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  }
  return (
    <SignInDialog
      title="You Have Been Signed Out"
      href="/login"
      onClose={clearSessionExpired}
      onReturn={checkUser}
    >
      <p>Everything you entered is still here. Sign in again in a new tab, then come back and go on.</p>
    </SignInDialog>
  );
}

export function SignInAgainDialog({ sentence }: { sentence: string }) {
  const queryClient = useQueryClient();
  async function checkSignIn(): Promise<void> {
    const credentials = await callApi('GET /api/account/credentials').catch(() => null);
    if (!credentials?.isRecent) return;
    clearSignInAgain();
    await refresh(['account'], queryClient);
  }
  return (
    <SignInDialog
      title="Sign In Again"
      href="/login?again=1"
      onClose={clearSignInAgain}
      onReturn={checkSignIn}
    >
      <p>{sentence}</p>
      <p>
        This needs a sign-in of the last 15 minutes. Nothing was changed, and everything you entered is still
        here. Sign in again in a new tab, then come back and try again.
      </p>
    </SignInDialog>
  );
}

type SignInDialogProps = {
  title: string;
  href: string;
  onClose: () => void;
  /** Runs when this tab gets the focus again. */
  onReturn: () => Promise<void>;
  children: ReactNode;
};

/** Offers a sign-in in another tab: in this one it would lose what was typed and chosen. */
function SignInDialog({ title, href, onClose, onReturn, children }: SignInDialogProps) {
  useEffect(() => {
    const check = () => void onReturn();
    window.addEventListener('focus', check);
    return () => window.removeEventListener('focus', check);
  }, [onReturn]);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <a
            ref={focusInDialog}
            href={href}
            target="_blank"
            rel="noopener"
            className={buttonClassName({ variant: 'primary' })}
          >
            Sign In Again
          </a>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
