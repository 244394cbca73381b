import { create } from 'zustand';
import type { ApiError } from './api-error.ts';
import { askToSignInAgain } from './sign-in-again.ts';

/** True if the server refuses calls because the auth session has expired or was ended in another tab. */
export const useSessionExpired = create<boolean>(() => false);

/** Records the status of an answer. Calls that sign in, and that for the current user, may answer 401 any time. */
export function reportResponseStatus(url: string, status: number): void {
  const signsIn =
    url === '/api/auth/user' || (url.startsWith('/api/auth/') && !url.startsWith('/api/auth/user/'));
  if (status === 401 && url.startsWith('/api/') && !signsIn) useSessionExpired.setState(true);
}

/** Asks for a new sign-in after a call that was refused because the sign-in is too old. */
export function reportFailure({ code, sentence }: ApiError): void {
  if (code === 'confirmation_needed') askToSignInAgain(sentence);
}

export function clearSessionExpired(): void {
  useSessionExpired.setState(false);
}
