import type { QueryClient } from '@tanstack/react-query';

/** What a change was about: the first part of the paths of all calls that tell of it. */
export type Subject = 'auth' | 'users' | 'user-cars' | 'sessions' | 'laps' | 'tracks' | 'car-library';

let otherTabs: BroadcastChannel | null = null;

/** Fetches everything about these subjects again that is on screen, and the rest when it is next asked for; in other tabs too. */
export async function refresh(subjects: readonly Subject[], queryClient: QueryClient): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is heard on our own site only, and takes no origin
  otherTabs?.postMessage(subjects);
  await invalidate(subjects, queryClient);
}

/** From now on changes made in other tabs show in this one: a car that was added there can be chosen here. */
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
