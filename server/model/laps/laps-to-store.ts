import { randomUUID } from 'node:crypto';
import { lapIdSchema } from '#contract/ids.ts';
import { roundLap } from './round-lap.ts';
import type { TimedLapFile } from './timing/lap-tasks.ts';
import type { NewLap } from './lap-file-store.ts';

export function lapsToStore(timed: TimedLapFile, startedAt: Date): NewLap[] {
  const { laps, firstFixMs, lapPositionsHashes } = timed;
  const clockStartMs = startedAt.getTime() - (firstFixMs ?? 0);
  return laps.map((lap, index) => ({
    ...roundLap(lap),
    id: lapIdSchema.parse(randomUUID()),
    startedAt: new Date(clockStartMs + lap.startTimeMs),
    positionsHash: lapPositionsHashes[index] ?? null,
  }));
}
