import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { insertOneTimeToken } from '#server/model/people/one-time-token-store.ts';
import { BUSY_TRACK } from '#server/testing/community.ts';
import { LARGE, openBoardDatabase } from './board-database.ts';
import { findPort, openBenchApp } from './serving.ts';
import { DAY_MS } from '#engine/durations.ts';

// This measures how much guests who send the slowest passwords delay boards. Each guest has an address and an invitation, and
// sends as many calls as the limits of a minute allow, twelve at once.

const GUESTS = 8;
const CALLS_OF_GUEST = 60;
const AT_ONCE = 12;
const IDLE_MS = 5_000;

// zxcvbn takes longest for symbols that can replace several letters. The second password is refused, so its invitation stays valid.
const SLOW =
  '@|4p4$$w9@dragonpassword|4p4$$w0r8@5(4%$w<i$5d@p49u3550rd44dragon44p4$$w0rd@||4sp@w0rdm4st3rs4dragondragonp4$$w0rd||s||p4$$w0rd4';
const SLOW_AND_WEAK = 'p4$$w0rd'.repeat(16);

export async function run(): Promise<void> {
  const { database, close } = await openBoardDatabase({ ...LARGE, laps: 20_000, drivers: 1_000, tracks: 20 });
  const { app, close: closeApp } = await openBenchApp(database, {
    hasOwnAccounts: true,
    registration: 'open',
  });
  try {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const port = findPort(app);
    const guests = await Promise.all(
      Array.from({ length: GUESTS }, async (_, guest) => {
        const { token } = await insertOneTimeToken(database.db, { purpose: 'invitation', lastsMs: DAY_MS });
        return { address: `203.0.113.${guest + 1}`, calls: listCalls(guest, token) };
      }),
    );
    const idle = await measureBoards(port, () => wait(IDLE_MS));
    let answers: unknown;
    const busy = await measureBoards(port, async () => {
      const workerData = { port, guests, atOnce: AT_ONCE };
      const sender = new Worker(new URL('./send-passwords.mjs', import.meta.url), { workerData });
      [answers] = await once(sender, 'message');
    });
    console.log('| boards, in ms | median | 95 % | longest |\n| --- | ---: | ---: | ---: |');
    console.log(`| idle | ${idle} |\n| ${GUESTS} guests send the slowest passwords | ${busy} |`);
    console.log(`\nAnswers to the guests, by status: ${JSON.stringify(answers)}.`);
  } finally {
    await closeApp();
    await close();
  }
}

function listCalls(guest: number, token: string): { path: string; body: object }[] {
  const person = { firstName: 'Ana', lastName: 'Lima', email: `ana-${guest}@club.example` };
  return Array.from({ length: CALLS_OF_GUEST }, (_, index) => [
    { path: '/api/auth/invitation', body: { token, ...person, password: SLOW_AND_WEAK } },
    { path: '/api/auth/recover', body: { email: person.email, code: 'none', newPassword: SLOW } },
    { path: '/api/auth/password', body: { email: `${index}${person.email}`, password: SLOW } },
    { path: '/api/auth/register', body: { ...person, password: SLOW_AND_WEAK } },
  ]).flat();
}

/** Asks for boards while `work` goes on, and formats how long they took. */
async function measureBoards(port: number, work: () => Promise<unknown>): Promise<string> {
  const urls = [`http://127.0.0.1:${port}/api/laps/track/${BUSY_TRACK}/best?limit=50`];
  const workerData = { urls, connections: 4, pauseMs: 5 };
  const readers = new Worker(new URL('./probe-boards.mjs', import.meta.url), { workerData });
  const answer = once(readers, 'message');
  await work();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
  readers.postMessage('stop');
  const [timesMs] = z.tuple([z.array(z.number())]).parse(await answer);
  timesMs.sort((a, b) => a - b);
  const at = (share: number): string => (timesMs[Math.floor((timesMs.length - 1) * share)] ?? NaN).toFixed(1);
  return `${at(0.5)} | ${at(0.95)} | ${at(1)}`;
}
