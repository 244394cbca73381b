import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import {
  resumeSharing,
  sendFixes,
  sendNow,
  type SharedFix,
  type SharingState,
  startSharing,
  stopSharing,
} from './live-sender.ts';

type Sent = { method: string; url: string; body: { fixes: number[][] } };

let sent: Sent[];
let answer: () => Response | Promise<Response>;
let states: SharingState[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  sent = [];
  states = [];
  answer = () => Response.json({ sharingId: 'one', code: 'abc', taken: 1, lastFixAt: 1 });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    sent.push({ method: init.method ?? 'GET', url, body });
    return await answer();
  });
});

afterEach(async () => {
  answer = () => Response.json({ ended: true });
  await stopSharing();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const fixAt = (timeMs: number): SharedFix => ({
  timeMs,
  latitude: 48.1,
  longitude: 11.6,
  speedMetersPerSecond: 20,
  accuracyMeters: null,
});

const fixesAt = (...times: number[]) => sendFixes(times.map(fixAt));

const start = async () => {
  await startSharing({ trackId: asTrackId('kart'), visibility: 'link' }, (state) => states.push(state));
  sent = [];
};

const sentTimes = () => sent.map(({ body }) => body.fixes.map(([timeMs]) => timeMs));

const failWith = (status: number) => () => Response.json({ error: 'no', message: 'No.' }, { status });

test('fixes are sent in one call every half second, and each once', async () => {
  await start();
  fixesAt(1, 2);
  fixesAt(3);
  await vi.advanceTimersByTimeAsync(500);
  await vi.advanceTimersByTimeAsync(500);
  fixesAt(4);
  await vi.advanceTimersByTimeAsync(500);
  expect(sentTimes()).toEqual([[1, 2, 3], [4]]);
  expect(states).toEqual(['sharing']);
});

test('fixes without time or place, and those of a clock that was set back, are left out', async () => {
  await start();
  sendFixes([{ ...fixAt(1), timeMs: null }, { ...fixAt(2), latitude: null }, fixAt(5), fixAt(3), fixAt(6)]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sentTimes()).toEqual([[5, 6]]);
});

test('a speed or an accuracy beyond all measure is left out, and the place is sent', async () => {
  await start();
  sendFixes([{ ...fixAt(1), speedMetersPerSecond: 900, accuracyMeters: 65_000 }]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent.map(({ body }) => body.fixes)).toEqual([[[1, 48.1, 11.6, null, null]]]);
});

test('what follows a crossing is sent at once', async () => {
  await start();
  fixesAt(1);
  sendNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(sentTimes()).toEqual([[1]]);
});

test('without a network the last fixes wait, and are sent when it is back', async () => {
  await start();
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  fixesAt(...Array.from({ length: 3_500 }, (_, index) => index));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(states).toEqual(['sharing', 'waiting']);
  expect(sent.length).toBeLessThan(8);
  sent = [];
  answer = () => Response.json({ taken: 1, lastFixAt: 1 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sentTimes().flat()).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 500));
  expect(Math.max(...sentTimes().map((times) => times.length))).toBe(300);
  expect(states).toEqual(['sharing', 'waiting', 'sharing']);
});

test('a slow answer holds nothing up, and no second call is under way meanwhile', async () => {
  await start();
  const slow: { finish?: (response: Response) => void } = {};
  answer = () => new Promise((resolve) => (slow.finish = resolve));
  fixesAt(1);
  await vi.advanceTimersByTimeAsync(1_000);
  fixesAt(2, 3);
  sendNow();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sentTimes()).toEqual([[1]]);
  answer = () => Response.json({ taken: 1, lastFixAt: 1 });
  slow.finish?.(Response.json({ taken: 1, lastFixAt: 1 }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sentTimes()).toEqual([[1], [2, 3]]);
});

test('an end at the server ends the sending; a refused batch does not', async () => {
  await start();
  answer = failWith(400);
  fixesAt(1);
  await vi.advanceTimersByTimeAsync(1_000);
  answer = () => Response.json({ taken: 1, lastFixAt: 1 });
  fixesAt(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sentTimes()).toEqual([[1], [2]]);
  answer = failWith(404);
  fixesAt(3);
  await vi.advanceTimersByTimeAsync(1_000);
  fixesAt(4);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sentTimes()).toEqual([[1], [2], [3]]);
  expect(states).toEqual(['sharing', 'waiting', 'sharing', 'ended']);
});

const shared = (sharingId: string | null) => () =>
  Response.json({ sharing: sharingId === null ? null : { sharingId, code: 'abc' } });

test('after a reload the page goes on with what the account shares, and leaves what was started meanwhile', async () => {
  answer = shared(null);
  expect(await resumeSharing()).toBeNull();
  fixesAt(1);
  await vi.advanceTimersByTimeAsync(1_000);
  answer = shared('two');
  expect(await resumeSharing()).toMatchObject({ sharingId: 'two' });
  sent = [];
  answer = () => Response.json({ taken: 1, lastFixAt: 1 });
  fixesAt(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sentTimes()).toEqual([[2]]);
  await stopSharing();
  answer = shared(null);
  const resumed = resumeSharing();
  answer = () => Response.json({ sharingId: 'three', code: 'abc' });
  await startSharing({ trackId: asTrackId('kart'), visibility: 'link' });
  expect(await resumed).toMatchObject({ sharingId: 'three' });
});
