import { z } from 'zod';
import { call, signIn } from '../faults/client.ts';

/** Opens the entries of an event of one course. Returns its id. */
export async function openEvent(url: string, account: string, trackId: string): Promise<string> {
  const client = { url, cookie: await signIn(url, account) };
  const made = await call(client, 'POST', '/api/events', {
    name: 'Autumn Sprint',
    description: '',
    firstDay: '2026-11-28',
    lastDay: '2026-11-28',
    courses: [{ trackId }],
    classes: [{ name: 'All', indexFactor: null }],
    firstRuns: null,
    countedRuns: 1,
    conePenaltyMs: 2_000,
    gatePenaltyMs: 10_000,
    tieRule: 'shared',
    takesLaps: true,
    protestMinutes: 30,
  });
  const { id } = z.object({ id: z.string() }).parse(made.body);
  await call(client, 'POST', `/api/events/${id}/state`, { state: 'open' });
  return id;
}

/** Shares the drives of an account live. Returns the code of the session. */
export async function shareLive(url: string, account: string, trackId: string): Promise<string> {
  const client = { url, cookie: await signIn(url, account) };
  const sharing = await call(client, 'POST', '/api/live/sharing', { trackId, visibility: 'link' });
  return z.object({ code: z.string() }).parse(sharing.body).code;
}
