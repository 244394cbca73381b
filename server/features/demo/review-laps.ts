import type { FlagReason } from '#contract/moderation/labels.ts';
import { listDriverBests } from '#server/model/boards/rank-store.ts';
import { decideLap, type Decision } from '#server/model/flags/decide-lap.ts';
import { flagLap } from '#server/model/flags/flag-lap.ts';
import { hasFlagged } from '#server/model/flags/flag-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { DEMO_MODERATOR } from './demo-drivers.ts';
import type { StoredDriver } from './demo-driver-store.ts';
import type { DemoDriver } from './season.ts';

/** A review is a doubt about the best lap of a demo driver on their home track, with the decision of the moderator. */
type Review = {
  driver: string;
  flaggedBy: string;
  doubt: { reason: FlagReason; sentence: string };
  decision: Decision;
};

const REVIEWS: readonly Review[] = [
  {
    driver: 'wanjiru.windtunnel',
    flaggedBy: 'rashid.redflag',
    doubt: { reason: 'time', sentence: 'No other driver of this car comes near that time.' },
    decision: { verdict: 'keep', reason: null },
  },
  {
    driver: 'ruben.rumblestrip',
    flaggedBy: 'leila.slipstream',
    doubt: { reason: 'driver', sentence: 'I was in the pits that day, and his brother drove the car.' },
    decision: { verdict: 'reject', reason: 'Another driver was in the car.' },
  },
];

/** Lets demo drivers flag laps and the moderator decide, with the code of requests. Repeated calls have no further effect. */
export async function reviewLaps(
  db: Database,
  season: readonly DemoDriver[],
  stored: ReadonlyMap<string, StoredDriver>,
): Promise<void> {
  const moderator = stored.get(DEMO_MODERATOR);
  for (const { driver: subject, flaggedBy, doubt, decision } of REVIEWS) {
    const [driver, doubter] = [stored.get(subject), stored.get(flaggedBy)];
    const trackId = season.find((one) => one.subject === subject)?.sessions[0]?.trackId;
    if (!moderator || !driver || !doubter || trackId === undefined) continue;
    const [best] = await listDriverBests(db, trackId, [driver.userId]);
    if (!best || (await hasFlagged(db, doubter.userId, driver.userId))) continue;
    const key = { trackId, lapId: best.lapId };
    await flagLap(db, doubter.userId, key, doubt);
    await decideLap(db, moderator.userId, key, decision);
  }
}
