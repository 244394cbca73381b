import type { QueryClient } from '@tanstack/react-query';

/** The subject of a change: the first segment, after `/api`, of the paths of all calls that it affects. */
export type Subject =
  | 'auth'
  | 'account'
  | 'users'
  | 'user-cars'
  | 'sessions'
  | 'laps'
  | 'tracks'
  | 'nearby-tracks'
  | 'car-library'
  | 'admin';

let otherTabs: BroadcastChannel | null = null;

/** Invalidates everything about these subjects, in other tabs too: what is on screen is fetched at once. */
export async function refresh(subjects: readonly Subject[], queryClient: QueryClient): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is heard on our own site only, and takes no origin
  otherTabs?.postMessage(subjects);
  await invalidate(subjects, queryClient);
}

/** Applies changes made in other tabs to this one: a car that was added there can be chosen here. */
export function followOtherTabs(queryClient: QueryClient): void {
  if (typeof BroadcastChannel === 'undefined') return;
  otherTabs = new BroadcastChannel('changes');
  otherTabs.addEventListener('message', ({ data }: MessageEvent<readonly Subject[]>) => {
    void invalidate(data, queryClient);
  });
}

async function invalidate(subjects: readonly Subject[], queryClient: QueryClient): Promise<void> {
  await Promise.all(subjects.map((subject) => queryClient.invalidateQueries({ queryKey: ['api', subject] })));
}
