import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type RetimeParts, retimeSessions } from '#server/uploads/retime.ts';
import { listDueTracks, markRetimed } from './correct-track-store.ts';

export type RetimingParts = Omit<RetimeParts, 'workFolder'> & {
  incomingFolder: string;
  log: FastifyBaseLogger;
};

/** Times the laps of corrected tracks anew, one file after the other, beside everything else. */
export type Retiming = {
  /** Takes up what is due, now or after what is under way. */
  start: () => void;
  /** Stops after the file that is being timed; what is left is taken up at the next start. */
  close: () => Promise<void>;
};

export function openRetiming(parts: RetimingParts): Retiming {
  const closing = new AbortController();
  let working = Promise.resolve();
  const work = async (): Promise<void> => {
    try {
      let due = await listDueTracks(parts.db);
      while (due[0] && !closing.signal.aborted) {
        if (await retimeTrack(parts, due[0].id, closing.signal)) await markRetimed(parts.db, due[0]);
        due = await listDueTracks(parts.db);
      }
    } catch (error) {
      // It stays due: the next correction or the next start takes it up again.
      parts.log.error({ err: error }, 'the laps of a corrected track could not be timed anew');
    }
  };
  return {
    start: () => void (working = working.then(work)),
    close: async () => {
      closing.abort();
      await working;
    },
  };
}

/** False where it was stopped before the end. */
async function retimeTrack(
  { incomingFolder, log, ...rest }: RetimingParts,
  trackId: string,
  closing: AbortSignal,
): Promise<boolean> {
  const workFolder = await mkdtemp(join(incomingFolder, 'retime-'));
  const counts = { unchanged: 0, changed: 0, failed: 0 };
  try {
    for await (const { outcome } of retimeSessions({ ...rest, workFolder }, { trackId, isDryRun: false })) {
      counts[outcome]++;
      if (closing.aborted) return false;
    }
    log.info({ trackId, ...counts }, 'timed the laps of a corrected track anew');
    return true;
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}
