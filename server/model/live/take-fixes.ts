import { LRUCache } from 'lru-cache';
import type { UserId } from '#contract/ids.ts';
import { LIVE_LIMITS } from '#contract/live/labels.ts';
import type { LiveDriver, LiveFix, SharingId } from '#contract/live/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findDrawnTrack } from '#server/model/tracks/track-store.ts';
import type { DriverProgress } from './driver-progress.ts';
import { DriverTimer } from './driver-timer.ts';
import type { LiveMessage } from './live-board.ts';
import { describeDriver, readProgress, roundDegrees, showsPosition } from './live-state.ts';
import { choosePlausible } from './plausible-fixes.ts';
import { findSharing, listBatches, lockSharing, storeTiming, type StoredSharing } from './live-store.ts';

type Batch = { userId: UserId; sharingId: SharingId; fixes: LiveFix[] };
type Taken = { taken: number; lastFixAt: number | null };

/** Times a driver in this copy of the server, after so many batches. */
type HeldTimer = { timer: DriverTimer; track: Track; batchCount: number; keepFrom: number };

// One for each driver who shares now; each takes nearly 800 KiB.
const TIMERS_MAX = 200;
// The curve of a crossing needs some fixes before the line: those of three seconds.
const BATCHES_BEFORE_LAP = Math.ceil(3_000 / LIVE_LIMITS.batchEveryMs);

/**
 * Returns the function that takes fixes of drivers. Batches of one driver may come to several copies of the server in turn: one that
 * has missed some reads them from the database first, or all since the last crossing.
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
      const held = (known && (await catchUp(tx, sharing, known))) ?? (await openTimer(tx, sharing));
      return await takeBatch(tx, sharing, { sent: batch.fixes, held });
    });
    timers.set(batch.sharingId, held);
    return taken;
  };
}

/** Takes the batches that other copies of the server have taken; returns null where some of them are gone. */
async function catchUp(tx: Database, sharing: StoredSharing, known: HeldTimer): Promise<HeldTimer | null> {
  const batchCount = sharing.batchCount ?? 0;
  if (known.batchCount === batchCount) return known;
  const batches = await listBatches(tx, sharing.sharingId, known.batchCount);
  if (batches.length !== batchCount - known.batchCount) return null;
  for (const { fixes } of batches) known.timer.repeat(fixes);
  return { ...known, batchCount };
}

async function openTimer(
  tx: Database,
  { sharingId, trackId, batchCount }: StoredSharing,
): Promise<HeldTimer> {
  const track = await findDrawnTrack(tx, trackId);
  if (!track) throw new AppError('not_found', 'The track of this live session is gone.');
  const timer = new DriverTimer(track);
  for (const { fixes } of await listBatches(tx, sharingId, 0)) timer.repeat(fixes);
  return { timer, track, batchCount: batchCount ?? 0, keepFrom: 0 };
}

async function takeBatch(
  tx: Database,
  sharing: StoredSharing,
  { sent, held }: { sent: LiveFix[]; held: HeldTimer },
): Promise<Taken & { held: HeldTimer }> {
  const fixes = choosePlausible(sent, held.track, sharing.lastFixAtMs ?? -Infinity);
  const last = fixes.at(-1);
  if (!last) return { taken: 0, lastFixAt: sharing.lastFixAtMs, held };
  const batchCount = held.batchCount + 1;
  const before = readProgress(sharing, held.track);
  const { progress, hasStarted } = held.timer.add(before, fixes);
  const keepFrom = hasStarted ? batchCount - BATCHES_BEFORE_LAP : held.keepFrom;
  const { sharingId } = sharing;
  const timing = { sharingId, batchCount, lastFixAtMs: Math.ceil(last[0]), progress, fixes, keepFrom };
  await storeTiming(tx, timing, describeChange({ sharing, before, progress, last }));
  return { taken: fixes.length, lastFixAt: last[0], held: { ...held, batchCount, keepFrom } };
}

type Change = { sharing: StoredSharing; before: DriverProgress; progress: DriverProgress; last: LiveFix };

/** Describes what has changed for the copies of the server. */
function describeChange({ sharing, before, progress, last }: Change): string {
  const seenAt = new Date();
  const driver = describeDriver({ ...sharing, seenAt }, progress);
  const hasChanged = sharing.progress === null || isOther(describeDriver(sharing, before), driver);
  const message: LiveMessage = {
    code: sharing.code,
    number: sharing.number,
    seenAt: seenAt.getTime(),
    ...(hasChanged && { driver }),
    ...(showsPosition(sharing, progress) && { at: [roundDegrees(last[1]), roundDegrees(last[2])] }),
  };
  return JSON.stringify(message);
}

const isOther = (a: LiveDriver, b: LiveDriver): boolean =>
  JSON.stringify({ ...a, seenAt: 0 }) !== JSON.stringify({ ...b, seenAt: 0 });
