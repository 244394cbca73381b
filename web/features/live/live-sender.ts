import { LIVE_LIMITS } from '#contract/live/labels.ts';
import type { LiveFix as ReceivedFix } from '#engine/receivers/live-fix.ts';
import type { LiveFix, LiveSharing } from '#contract/live/schemas.ts';
import { ApiError } from '#web/api/api-error.ts';
import {
  endSharing,
  findSharing,
  postFixes,
  postSharing,
  type SharingOptions,
} from '#web/api/live-sharing.ts';

// Sends a driver's fixes to those who watch. It never makes the recording wait, and forgets what comes too late for them.

/** Describes what is shared of a fix. */
export type SharedFix = Pick<
  ReceivedFix,
  'timeMs' | 'latitude' | 'longitude' | 'speedMetersPerSecond' | 'accuracyMeters'
>;

/**
 * `waiting`: the network is away, and the last minute is kept. `ended`: the session has ended, the driver has stopped on another
 * device, or is signed out; nothing more is sent.
 */
export type SharingState = 'sharing' | 'waiting' | 'ended';

// A server that is slow to answer is not asked again at once.
const PAUSE_MIN_MS = 100;
const BEHIND_PAUSE_MS = 250;
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 15_000;
// A minute at 50 Hz: those who watch want to see no more of the past.
const QUEUE_MAX = 3_000;

type Sender = {
  sharing: LiveSharing;
  queue: LiveFix[];
  onState: (state: SharingState) => void;
  timer: number | undefined;
  isSending: boolean;
  failures: number;
};

let sender: Sender | null = null;

/**
 * Starts to share what is driven from now on; the link is in the answer. Nothing is shared before this call, and each session needs
 * one. @throws ApiError
 */
export async function startSharing(
  options: SharingOptions,
  onState: (state: SharingState) => void = () => {},
): Promise<LiveSharing> {
  forget();
  const sharing = await postSharing(options);
  begin(sharing, onState);
  return sharing;
}

/** Goes on with what this account shares already, after a reload of the page; null where it shares nothing. @throws ApiError */
export async function resumeSharing(
  onState: (state: SharingState) => void = () => {},
): Promise<LiveSharing | null> {
  const sharing = await findSharing();
  // The driver may have started one meanwhile.
  if (sender) return sender.sharing;
  if (sharing) begin(sharing, onState);
  return sharing;
}

/** Takes fixes in the order of their times, and returns at once. Without a sharing it does nothing; fixes without time or place are left out. */
export function sendFixes(fixes: readonly SharedFix[]): void {
  if (!sender) return;
  for (const { timeMs, latitude, longitude, speedMetersPerSecond, accuracyMeters } of fixes) {
    if (timeMs === null || latitude === null || longitude === null) continue;
    // A receiver whose clock was set back would make every call fail.
    if (timeMs <= (sender.queue.at(-1)?.[0] ?? -Infinity)) continue;
    const speed = atMost(LIVE_LIMITS.speedMaxMetersPerSecond, speedMetersPerSecond);
    sender.queue.push([
      timeMs,
      latitude,
      longitude,
      speed,
      atMost(LIVE_LIMITS.accuracyMaxMeters, accuracyMeters),
    ]);
  }
  if (sender.queue.length > QUEUE_MAX) sender.queue.splice(0, sender.queue.length - QUEUE_MAX);
}

/** Returns a figure, or null for one that the server would refuse the whole batch for. */
function atMost(limit: number, figure: number | null): number | null {
  return figure === null || figure > limit ? null : figure;
}

/** Sends at once what waits, such as after a crossing, so that those who watch see the lap sooner. */
export function sendNow(): void {
  if (sender && !sender.isSending && sender.failures === 0) plan(sender, 0);
}

/** Ends the sharing, on all devices of the account. @throws ApiError where the server cannot be reached; it ends by itself then */
export async function stopSharing(): Promise<void> {
  forget();
  await endSharing();
}

function begin(sharing: LiveSharing, onState: Sender['onState']): void {
  sender = { sharing, queue: [], onState, timer: undefined, isSending: false, failures: 0 };
  plan(sender, LIVE_LIMITS.batchEveryMs);
  onState('sharing');
}

function forget(): void {
  window.clearTimeout(sender?.timer);
  sender = null;
}

function plan(one: Sender, afterMs: number): void {
  window.clearTimeout(one.timer);
  one.timer = window.setTimeout(() => void send(one), afterMs);
}

async function send(one: Sender): Promise<void> {
  if (one.isSending || sender !== one) return;
  const fixes = one.queue.slice(0, LIVE_LIMITS.fixesPerBatchMax);
  if (fixes.length === 0) return plan(one, LIVE_LIMITS.batchEveryMs);
  one.isSending = true;
  const startMs = performance.now();
  try {
    await postFixes(one.sharing.sharingId, fixes);
    succeed(one, fixes, performance.now() - startMs);
  } catch (error) {
    fail(one, fixes, error);
  }
  one.isSending = false;
}

function succeed(one: Sender, fixes: readonly LiveFix[], tookMs: number): void {
  drop(one, fixes);
  if (one.failures > 0) one.onState('sharing');
  one.failures = 0;
  // Fixes that waited for the network go out soon.
  const isBehind = one.queue.length >= LIVE_LIMITS.fixesPerBatchMax;
  const pauseMs = isBehind ? BEHIND_PAUSE_MS : Math.max(PAUSE_MIN_MS, LIVE_LIMITS.batchEveryMs - tookMs);
  if (sender === one) plan(one, pauseMs);
}

const ENDED_STATUSES = new Set([401, 403, 404]);
const REFUSED_STATUSES = new Set([400, 413, 415]);

function fail(one: Sender, fixes: readonly LiveFix[], error: unknown): void {
  if (sender !== one) return;
  const status = error instanceof ApiError ? error.status : 0;
  if (ENDED_STATUSES.has(status)) {
    forget();
    return one.onState('ended');
  }
  // The server will not take these at any other time.
  if (REFUSED_STATUSES.has(status)) drop(one, fixes);
  one.failures += 1;
  if (one.failures === 1) one.onState('waiting');
  plan(one, Math.min(RETRY_MIN_MS * 2 ** (one.failures - 1), RETRY_MAX_MS));
}

/** Removes what was sent; the queue may have lost some of it at its front meanwhile. */
function drop(one: Sender, fixes: readonly LiveFix[]): void {
  const lastMs = fixes.at(-1)?.[0] ?? -Infinity;
  const rest = one.queue.findIndex(([timeMs]) => timeMs > lastMs);
  one.queue.splice(0, rest < 0 ? one.queue.length : rest);
}
