import { LRUCache } from 'lru-cache';
import type { UserId } from '#contract/ids.ts';
import type { LiveDriver, LiveFix, SharingId } from '#contract/live/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { planeAround, toPlane } from '#engine/geo.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { sendMessage } from '#server/kernel/database/notifications.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findDrawnTrack } from '#server/model/tracks/track-store.ts';
import { addCrossing, addFix, type DriverProgress } from './driver-progress.ts';
import { type DriverTimer, openDriverTimer } from './driver-timer.ts';
import type { LiveMessage } from './live-board.ts';
import { describeDriver, readProgress } from './live-state.ts';
import { choosePlausible } from './plausible-fixes.ts';
import {
  findSharing,
  LIVE_TOPIC,
  listBatches,
  lockSharing,
  storeTiming,
  type StoredSharing,
} from './live-store.ts';

type Batch = { userId: UserId; sharingId: SharingId; fixes: LiveFix[] };
type Taken = { taken: number; lastFixAt: number | null };

/** Is how this copy of the server times a driver, after so many batches. */
type HeldTimer = { timer: DriverTimer; track: Track; batchCount: number; keepFrom: number };

// One for each driver who shares now.
const TIMERS_MAX = 1_000;

/**
 * Returns the function that takes fixes of drivers. Batches of one driver may come to several copies of the server in turn: one that
 * has not seen the batch before reads the fixes since the last crossing and goes on from there.
 */
export function openFixTaker(db: Database): (batch: Batch) => Promise<Taken> {
  const timers = new LRUCache<SharingId, HeldTimer>({ max: TIMERS_MAX });
  return async (batch) => {
    const { held, ...taken } = await db.transaction(async (tx) => {
      await lockSharing(tx, batch.sharingId);
      const sharing = await findSharing(tx, batch.userId);
      if (sharing?.sharingId !== batch.sharingId)
        throw new AppError('not_found', 'You do not share live any more.');
      const known = timers.get(batch.sharingId);
      // A transaction that fails would leave a timer with fixes that are not stored.
      timers.delete(batch.sharingId);
      const isCurrent = known?.batchCount === (sharing.batchCount ?? 0);
      return await takeBatch(tx, sharing, batch.fixes, isCurrent ? known : null);
    });
    timers.set(batch.sharingId, held);
    return taken;
  };
}

async function takeBatch(
  tx: Database,
  sharing: StoredSharing,
  sent: LiveFix[],
  known: HeldTimer | null,
): Promise<Taken & { held: HeldTimer }> {
  const held = known ?? (await openTimer(tx, sharing));
  const lastFixAtMs = sharing.lastFixAtMs ?? -Infinity;
  const fixes = choosePlausible(sent, held.track, lastFixAtMs);
  const last = fixes.at(-1);
  if (!last) return { taken: 0, lastFixAt: sharing.lastFixAtMs, held };
  const batchCount = held.batchCount + 1;
  const before = readProgress(sharing, held.track);
  const { progress, hasStarted } = addFixes(before, fixes, held);
  // The fix before a crossing is in the batch before, at most.
  const keepFrom = hasStarted ? held.batchCount : held.keepFrom;
  await storeTiming(tx, {
    sharingId: sharing.sharingId,
    batchCount,
    lastFixAtMs: Math.ceil(last[0]),
    progress,
    fixes,
    keepFrom,
  });
  await sendChange(tx, { sharing, before, progress, last });
  return {
    taken: fixes.length,
    lastFixAt: last[0],
    held: { ...held, batchCount, keepFrom },
  };
}

async function openTimer(
  tx: Database,
  { sharingId, trackId, batchCount }: StoredSharing,
): Promise<HeldTimer> {
  const track = await findDrawnTrack(tx, trackId);
  if (!track) throw new AppError('not_found', 'The track of this live session is gone.');
  const timer = openDriverTimer(track);
  for (const fix of await listBatches(tx, sharingId)) timer.add(fix);
  return { timer, track, batchCount: batchCount ?? 0, keepFrom: 0 };
}

function addFixes(
  before: DriverProgress,
  fixes: readonly LiveFix[],
  { timer, track }: HeldTimer,
): { progress: DriverProgress; hasStarted: boolean } {
  const plane = planeAround({ lat: track.centerLat, lon: track.centerLon });
  const metersBetween: Parameters<typeof addFix>[2] = (a, b) => {
    const [from, to] = [toPlane(plane, a), toPlane(plane, b)];
    return Math.hypot(to.x - from.x, to.y - from.y);
  };
  let progress = before;
  let hasStarted = false;
  for (const fix of fixes) {
    for (const crossing of timer.add(fix)) {
      progress = addCrossing(progress, crossing);
      hasStarted ||= crossing.kind !== 'sector';
    }
    progress = addFix(progress, fix, metersBetween);
  }
  return { progress, hasStarted };
}

type Change = { sharing: StoredSharing; before: DriverProgress; progress: DriverProgress; last: LiveFix };

/** Sends what has changed to all copies of the server: positions only of who shows lines, and only on a lap. */
async function sendChange(tx: Database, { sharing, before, progress, last }: Change): Promise<void> {
  const seenAt = new Date();
  const driver = describeDriver({ ...sharing, seenAt }, progress);
  const hasChanged = sharing.progress === null || isOther(describeDriver(sharing, before), driver);
  const isShown = sharing.showsLine && progress.lapStartedAt !== null;
  const message: LiveMessage = {
    code: sharing.code,
    number: sharing.number,
    seenAt: seenAt.getTime(),
    ...(hasChanged && { driver }),
    ...(isShown && { at: [roundDegrees(last[1]), roundDegrees(last[2])] }),
  };
  await sendMessage(tx, LIVE_TOPIC, JSON.stringify(message));
}

const isOther = (a: LiveDriver, b: LiveDriver): boolean =>
  JSON.stringify({ ...a, seenAt: 0 }) !== JSON.stringify({ ...b, seenAt: 0 });

/** Rounds to a metre, which is enough for a map. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
