import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from '#contract/people/schemas.ts';
import { callApi } from '#web/api/call-api.ts';
import { clearSessionExpired } from '#web/api/session-expired.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { focusInDialog } from '#web/ui/modals.ts';

/** Offers a sign-in in another tab, as this one would lose its input; it continues when it gets the focus again. */
export function SessionExpiredDialog({ user }: { user: User }) {
  useSignInFromOtherTab(user.id);
  return (
    <Dialog
      title="You Have Been Signed Out"
      onClose={clearSessionExpired}
      footer={
        <>
          <Button onClick={clearSessionExpired}>Close</Button>
          <a
            ref={focusInDialog}
            href="/login"
            target="_blank"
            rel="noopener"
            className={buttonClassName({ variant: 'primary' })}
          >
            Sign In Again
          </a>
        </>
      }
    >
      <p>
        Nothing was saved, but everything you entered is still here. Sign in again in a new tab, then come
        back and try again.
      </p>
    </Dialog>
  );
}

function useSignInFromOtherTab(userId: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    async function checkUser(): Promise<void> {
      const user = await callApi('GET /api/auth/user').catch(() => null);
      if (user === null) return;
      // Another user has signed in, to whom this page's data do not belong.
      if (user.id !== userId) window.location.reload();
      clearSessionExpired();
      await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
    }
    const onReturn = () => void checkUser();
    window.addEventListener('focus', onReturn);
    return () => window.removeEventListener('focus', onReturn);
  }, [queryClient, userId]);
}
