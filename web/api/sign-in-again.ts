import { create } from 'zustand';

/** Holds the server's sentence if it refused a call because the sign-in is too old for it; null otherwise. */
export const useSignInAgain = create<string | null>(() => null);

export function askToSignInAgain(sentence: string): void {
  useSignInAgain.setState(sentence);
}

export function clearSignInAgain(): void {
  useSignInAgain.setState(null, true);
}
