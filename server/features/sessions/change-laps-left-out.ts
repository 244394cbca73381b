import type { SessionChange } from '#contract/sessions/schemas.ts';
import { isForBoards } from '#engine/timing/laps.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { leaveOut, putBack } from '#server/model/laps/leave-out.ts';
import {
  listClassifiedLaps,
  type StoredSession,
  updateClassification,
} from '#server/model/laps/session-store.ts';

type LapWish = NonNullable<SessionChange['laps']>[number];

/** The audit log stores this change: how many laps, and the numbers of those that are left out, before and after. */
type LapsChange = { counts: Record<string, number>; changes: Record<string, [string | null, string | null]> };

/** Leaves laps out of the board, or puts them back. @throws AppError for no such lap, or one that does not count */
export async function changeLapsLeftOut(
  tx: Database,
  session: StoredSession,
  wishes: readonly LapWish[],
): Promise<LapsChange> {
  if (wishes.length === 0) return { counts: {}, changes: {} };
  const laps = await listClassifiedLaps(tx, session);
  const before = laps.filter(isLeftOut);
  const wanted = new Map(wishes.map((wish) => [wish.lapId, wish.isLeftOut]));
  for (const lapId of wanted.keys()) {
    if (!laps.some((lap) => lap.id === lapId))
      throw new AppError('not_found', 'There is no such lap in this session.');
  }
  const after = laps.map((lap) => {
    const wish = wanted.get(lap.id) ?? isLeftOut(lap);
    if (wish === isLeftOut(lap)) return lap;
    if (wish && !isForBoards(lap)) {
      const sentence = `Lap ${lap.number} does not count anyway.`;
      throw new AppError('invalid_input', sentence, { fields: { laps: sentence } });
    }
    return wish ? leaveOut(lap) : putBack(lap);
  });
  const changed = after.filter((lap, index) => lap !== laps[index]);
  for (const lap of changed) await updateClassification(tx, session, lap);
  if (changed.length === 0) return { counts: {}, changes: {} };
  const lapsLeftOut = changed.filter(isLeftOut).length;
  return {
    counts: { lapsLeftOut, lapsPutBack: changed.length - lapsLeftOut },
    changes: { lapsLeftOut: [listNumbers(before), listNumbers(after.filter(isLeftOut))] },
  };
}

const isLeftOut = ({ leftOutStatus }: { leftOutStatus: string | null }) => leftOutStatus !== null;

function listNumbers(laps: readonly { number: number }[]): string | null {
  return laps.map(({ number }) => number).join(', ') || null;
}
