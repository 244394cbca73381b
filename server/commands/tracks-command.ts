import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ImportProgress } from '#contract/library/schemas.ts';
import { fetchTrackSet } from '#server/features/library/track-sets/fetch-track-set.ts';
import { importTrackSet } from '#server/features/library/track-sets/import-track-set.ts';
import { type Config, readConfig } from '#server/kernel/config/config.ts';
import { StartError } from '#server/kernel/errors.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { ALL_PUBLISHED_SETS } from '#server/model/track-sets/published-sets.ts';
import { findStoredSet, type SetProgress } from '#server/model/track-sets/track-set-store.ts';
import { withDatabase } from './with-database.ts';

/** `npm run tracks` imports sets of tracks, and fetches published ones. It works with and without a running server. */

const { sets } = ALL_PUBLISHED_SETS;

const USAGE = `Use: npm run tracks -- import PATH, where PATH is a folder, a ZIP archive or a file,
or:  npm run tracks -- fetch NAME, where NAME is one of ${sets.map(({ name }) => name).join(', ')}`;

function readWords(words: string[]): { verb: string; object: string } {
  const { positionals } = parseArgs({ args: words, allowPositionals: true });
  const [verb, object] = positionals;
  if (verb === undefined || object === undefined || positionals.length > 2) throw new StartError(USAGE);
  return { verb, object };
}

const STEPS = {
  reading: 'Read',
  comparing: 'Compared',
  adding: 'Added',
  fetching: 'Fetched bytes:',
} as const;
const TENTHS = 10;
const UNKNOWN_TOTAL_STEP = 5_000_000;

type Step = { step: keyof typeof STEPS; done: number; total: number | null };

/** Prints the progress ten times for each step. */
function printProgress(): (progress: Step) => void {
  let last = '';
  return ({ step, done, total }) => {
    const part = Math.floor(total === null ? done / UNKNOWN_TOTAL_STEP : (TENTHS * done) / total);
    if (last === `${step} ${part}`) return;
    last = `${step} ${part}`;
    print(`${STEPS[step]} ${done}${total === null ? '' : ` of ${total}`}`);
    if (step === 'reading' && done === total) print('Comparing them with each other and with the library …');
  };
}

async function importPath(config: Config, path: string): Promise<void> {
  const { added, known, duplicates, leftOut } = await withDatabase(config, async ({ db }) => {
    // The database lacks the tracks that come with Pitboard before the first start of a server.
    await loadLibraries(db);
    const onProgress: (progress: ImportProgress) => void = printProgress();
    return await importTrackSet(db, { path, userId: null, onProgress });
  });
  for (const { file, reason } of leftOut) print(`${file}: ${reason}`);
  print(
    `${added} tracks added; ${known} were in the library, ${duplicates} are courses that the set has more than once, ${leftOut.length} were left out.`,
  );
}

async function fetchSet(config: Config, name: string): Promise<void> {
  const set = sets.find((one) => one.name === name);
  if (!set) throw new StartError(`There is no set ${name}.\n${USAGE}`);
  const printStep = printProgress();
  const onProgress = ({ state, done, total }: SetProgress) => {
    if (state === 'fetching' || state === 'reading' || state === 'adding')
      printStep({ step: state, done, total });
  };
  print(`${set.title}: ${set.summary} · ${set.attribution} · ${set.licence}`);
  const result = await withDatabase(config, async ({ db }) => {
    await loadLibraries(db);
    if ((await findStoredSet(db, name))?.state === 'installed')
      throw new StartError(
        `The tracks of ${set.title} are here already. Remove the set on the page Import Tracks first.`,
      );
    const downloadFolder = join(config.dataFolder, 'downloads');
    return await fetchTrackSet(
      { db, downloadFolder, onProgress, version: 'command', allowsLoopback: false },
      set,
    );
  });
  const { tracks, courses, known, duplicates, leftOut } = result;
  print(
    `${tracks} tracks and ${courses} courses added; ${known} were here, ${duplicates} are in the set more than once, ${leftOut} were left out.`,
  );
}

try {
  const config = readConfig();
  const { verb, object } = readWords(process.argv.slice(2));
  if (verb === 'import') await importPath(config, object);
  else if (verb === 'fetch') await fetchSet(config, object);
  else throw new StartError(USAGE);
} catch (error) {
  fail(error);
}
