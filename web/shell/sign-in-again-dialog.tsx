import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { clearSignInAgain } from '#web/api/sign-in-again.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { focusInDialog } from '#web/ui/modals.ts';

/** Offers a sign-in in another tab, as this one would lose its input; the dialog closes at the next focus. */
export function SignInAgainDialog({ sentence }: { sentence: string }) {
  useSignInFromOtherTab();
  return (
    <Dialog
      title="Sign In Again"
      onClose={clearSignInAgain}
      footer={
        <>
          <Button onClick={clearSignInAgain}>Close</Button>
          <a
            ref={focusInDialog}
            href="/login?again=1"
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
        {sentence} You signed in more than 15 minutes ago. Nothing was changed, and everything you entered is
        still here: sign in in a new tab, then come back and try again.
      </p>
    </Dialog>
  );
}

function useSignInFromOtherTab(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    async function checkSignIn(): Promise<void> {
      const credentials = await callApi('GET /api/account/credentials').catch(() => null);
      if (!credentials?.isRecent) return;
      clearSignInAgain();
      await refresh(['account'], queryClient);
    }
    const onReturn = () => void checkSignIn();
    window.addEventListener('focus', onReturn);
    return () => window.removeEventListener('focus', onReturn);
  }, [queryClient]);
}
