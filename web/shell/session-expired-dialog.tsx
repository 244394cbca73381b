import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from '#contract/users.ts';
import { callApi } from '#web/api/call-api.ts';
import { clearSessionExpired } from '#web/api/session-expired.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { focusInDialog } from '#web/ui/modals.ts';

/**
 * Says that the sign-in of `user` has ended while the page was open. Going to the provider in this tab would throw away
 * what was typed and chosen, so it is done in another one; the page goes on as soon as its reader comes back.
 */
export function SessionExpiredDialog({ user }: { user: User }) {
  useSignInFromOtherTab(user.id);
  return (
    <Dialog
      open
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
        Nothing was changed, and what you have filled in stays here. Sign in again in a new tab, then come
        back and try once more.
      </p>
    </Dialog>
  );
}

function useSignInFromOtherTab(userId: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    async function look(): Promise<void> {
      const user = await callApi('GET /api/auth/user').catch(() => null);
      if (user === null) return;
      // Somebody else now: nothing on this page is theirs.
      if (user.id !== userId) window.location.reload();
      clearSessionExpired();
      await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
    }
    const onReturn = () => void look();
    window.addEventListener('focus', onReturn);
    return () => window.removeEventListener('focus', onReturn);
  }, [queryClient, userId]);
}
