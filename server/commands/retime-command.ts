import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { trackIdSchema } from '#contract/ids.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { withDatabase } from './with-database.ts';
import { readConfig, type Config } from '#server/kernel/config/config.ts';
import { summarizeLaps } from '#server/model/laps/round-lap.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { StartError } from '#server/kernel/errors.ts';
import { openStorage } from '#server/kernel/storage/open-storage.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { type RetimedSession, type RetimeOptions, retimeSessions } from '#server/model/laps/retime.ts';
import type { StoredLap } from '#server/model/laps/retime-store.ts';
import { startLapWorkers } from '#server/model/laps/timing/lap-workers.ts';

/** `npm run retime` retimes every stored lap file. It works with and without a running server. */

const USAGE = 'Use: npm run retime -- [--track ID] [--dry-run]';

function readOptions(words: string[]): RetimeOptions {
  const { track, 'dry-run': isDryRun } = parseWords(words);
  const trackId = trackIdSchema.nullable().safeParse(track ?? null);
  if (!trackId.success) throw new StartError(`There is no track ${track}.`);
  return { trackId: trackId.data, isDryRun };
}

function parseWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: { track: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
    }).values;
  } catch (cause) {
    throw new StartError(USAGE, { cause });
  }
}

async function retime({ db }: OpenDatabase, config: Config, options: RetimeOptions): Promise<void> {
  if (options.trackId !== null && !(await findTrack(db, options.trackId))) {
    throw new StartError(`There is no track ${options.trackId}.`);
  }
  const workFolder = await mkdtemp(join(tmpdir(), 'pitboard-retime-'));
  const lapWorkers = startLapWorkers();
  const counts = { unchanged: 0, changed: 0, failed: 0 };
  try {
    const storage = await openStorage(config, config.dataFolder);
    for await (const retimed of retimeSessions({ db, storage, lapWorkers, workFolder }, options)) {
      counts[retimed.outcome]++;
      const line = describe(retimed);
      if (line !== null) print(line);
    }
  } finally {
    await lapWorkers.close();
    await rm(workFolder, { recursive: true, force: true });
  }
  const { unchanged, changed, failed } = counts;
  print(
    `${unchanged + changed + failed} sessions timed by engine ${ENGINE_VERSION}: ${changed} changed, ${unchanged} unchanged, ${failed} could not be timed and stay as they are.`,
  );
  if (options.isDryRun) print('Nothing was written, because of --dry-run.');
}

function describe(retimed: RetimedSession): string | null {
  const { session, track } = retimed;
  if (retimed.outcome === 'unchanged') return null;
  const name = `${track.name}, session ${session.id} of ${session.startedAt.toISOString().slice(0, 10)}`;
  if (retimed.outcome === 'failed') return `${name}: ${retimed.sentence}`;
  const [before, after] = [describeLaps(retimed.before), describeLaps(retimed.after)];
  // Uncertainties, sectors or single slower laps may change although this is equal.
  return before === after ? `${name}: ${after}, changed in details` : `${name}: ${before} → ${after}`;
}

function describeLaps(laps: readonly StoredLap[]): string {
  const { bestLapTimeMs } = summarizeLaps(laps);
  const statuses = ['valid', 'warning', 'simulated', 'rejected', 'incomplete'].flatMap((status) => {
    const count = laps.filter((lap) => lap.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return `best ${bestLapTimeMs === null ? 'none' : formatLapTime(bestLapTimeMs)} (${statuses.join(', ') || 'no laps'})`;
}

try {
  const config = readConfig();
  const options = readOptions(process.argv.slice(2));
  await withDatabase(config, (database) => retime(database, config, options));
} catch (error) {
  fail(error);
}
