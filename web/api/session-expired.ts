import { useSyncExternalStore } from 'react';

// Whether the server has refused a call for want of a sign-in: it has expired, or was ended in another tab.
let isLost = false;
const listeners = new Set<() => void>();

/** Takes note of how one of our own calls was answered. The one that asks who is here may be refused at any time. */
export function noteResponseStatus(url: string, status: number): void {
  if (status === 401 && url.startsWith('/api/') && url !== '/api/auth/user') change(true);
}

/** There is a sign-in again, or nobody wants to hear of it. */
export function clearSessionExpired(): void {
  change(false);
}

/** Whether calls are refused for want of a sign-in. */
export function useSessionExpired(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isLost,
    () => false,
  );
}

function change(value: boolean): void {
  isLost = value;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
