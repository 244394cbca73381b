import type { UserId } from '#contract/ids.ts';
import { FLAG_LIMITS, type FlagReason } from '#contract/moderation/labels.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { findClubSettings } from '#server/model/club/club-settings-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { getFlaggableLap, type LapKey } from './decide-lap.ts';
import {
  countFlaggedToday,
  type FlaggableLap,
  insertFlag,
  listFlags,
  lockFlagsByUser,
} from './flag-store.ts';

type Doubt = { reason: FlagReason; sentence: string };

/** @throws AppError where this user may not flag the lap, or not now */
export async function flagLap(
  db: Database,
  userId: UserId,
  key: LapKey,
  { reason, sentence }: Doubt,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockFlagsByUser(tx, userId);
    const lap = await getFlaggableLap(tx, key);
    const isOwn = lap.driverId === userId;
    if (!isOwn && !(await isOnBoards(tx, lap))) throw new AppError('not_found', 'There is no such lap.');
    if (isOwn)
      throw new AppError('not_allowed', 'This is your own lap. You can leave it out in its session.');
    const open = (await listFlags(tx, lap.id)).filter(({ decisionId }) => decisionId === null);
    if (open.some((flag) => flag.userId === userId))
      throw new AppError('conflict', 'You have flagged this lap already. Somebody will look at it.');
    if ((await countFlaggedToday(tx, userId)) >= FLAG_LIMITS.perDayMax) {
      const limit = `You can flag ${FLAG_LIMITS.perDayMax} laps a day. Please try again tomorrow.`;
      throw new AppError('too_many_requests', limit);
    }
    await insertFlag(tx, { ...toFlag(lap, userId), reason, sentence });
  });
}

/** Returns whether everybody may see a lap: one of a simulator only where simulators have boards. */
export async function isOnBoards(db: Database, lap: Pick<FlaggableLap, 'status'>): Promise<boolean> {
  if (lap.status !== 'simulated') return isRanking(lap);
  return (await findClubSettings(db))?.hasSimulatorBoards ?? false;
}

export function toFlag({ trackId, id: lapId, driverId }: FlaggableLap, userId: UserId) {
  return { trackId, lapId, driverId, userId };
}
