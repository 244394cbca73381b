import type { QueryClient } from '@tanstack/react-query';
import { CHANGES, type Subject } from '#contract/changes.ts';
import {
  sendCall,
  type Answer,
  type ChangingCall,
  type RequestArguments,
  type RequestFor,
} from './call-api.ts';

/** Sends one call that changes data, and fetches again the data that it changes. Throws if the call fails. */
export type Send = <C extends ChangingCall>(
  call: C,
  ...request: RequestArguments<RequestFor<C>>
) => Promise<Answer<C>>;

let otherTabs: BroadcastChannel | null = null;

/** Sends a call, and fetches again what the contract lists for it. Components use it through `useCall` in web/ui. */
export async function sendChange<C extends ChangingCall>(
  queryClient: QueryClient,
  call: C,
  ...request: RequestArguments<RequestFor<C>>
): Promise<Answer<C>> {
  const answer = await sendCall(call, ...request);
  await refreshAfter(call, queryClient);
  return answer;
}

/** Fetches again the subjects that a call changes, in other tabs too. */
export async function refreshAfter(call: ChangingCall, queryClient: QueryClient): Promise<void> {
  await refresh(CHANGES[call], queryClient);
}

/** Invalidates everything about these subjects, in other tabs too: data on the screen is fetched at once. */
export async function refresh(subjects: readonly Subject[], queryClient: QueryClient): Promise<void> {
  if (subjects.length === 0) return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is heard on our own site only, and takes no origin
  otherTabs?.postMessage(subjects);
  await refreshThisTab(subjects, queryClient);
}

/** Applies changes made in other tabs to this one: a car that was added there can be chosen here. */
export function followOtherTabs(queryClient: QueryClient): void {
  if (typeof BroadcastChannel === 'undefined') return;
  otherTabs = new BroadcastChannel('changes');
  otherTabs.addEventListener('message', ({ data }: MessageEvent<readonly Subject[]>) => {
    void refreshThisTab(data, queryClient);
  });
}

/** Invalidates everything about these subjects in this tab only, after a change that every tab receives itself. */
export async function refreshThisTab(subjects: readonly Subject[], queryClient: QueryClient): Promise<void> {
  await Promise.all(subjects.map((subject) => queryClient.invalidateQueries({ queryKey: ['api', subject] })));
}
