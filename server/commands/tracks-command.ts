import { parseArgs } from 'node:util';
import type { ImportProgress } from '#contract/library/schemas.ts';
import { importTrackSet } from '#server/features/library/track-sets/import-track-set.ts';
import { readConfig } from '#server/kernel/config/config.ts';
import { StartError } from '#server/kernel/errors.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { withDatabase } from './with-database.ts';

/** `npm run tracks` imports sets of tracks. It works with and without a running server. */

const USAGE = 'Use: npm run tracks -- import PATH, where PATH is a folder, a ZIP archive or a file';

function readPath(words: string[]): string {
  const { positionals } = parseArgs({ args: words, allowPositionals: true });
  const [verb, path] = positionals;
  if (verb !== 'import' || path === undefined || positionals.length > 2) throw new StartError(USAGE);
  return path;
}

const STEPS = { reading: 'Read', comparing: 'Compared', adding: 'Added' } as const;
const TENTHS = 10;

/** Prints the progress ten times for each step. */
function printProgress(): (progress: ImportProgress) => void {
  let last = '';
  return ({ step, done, total }) => {
    const tenth = Math.floor((TENTHS * done) / total);
    if (last === `${step} ${tenth}`) return;
    last = `${step} ${tenth}`;
    print(`${STEPS[step]} ${done} of ${total}`);
    if (step === 'reading' && done === total) print('Comparing them with each other and with the library …');
  };
}

try {
  const config = readConfig();
  const path = readPath(process.argv.slice(2));
  const { added, known, duplicates, leftOut } = await withDatabase(config, async ({ db }) => {
    // The database lacks the tracks that come with Pitboard before the first start of a server.
    await loadLibraries(db);
    return await importTrackSet(db, { path, userId: null, onProgress: printProgress() });
  });
  for (const { file, reason } of leftOut) print(`${file}: ${reason}`);
  print(
    `${added} tracks added; ${known} were in the library, ${duplicates} are courses that the set has more than once, ${leftOut.length} were left out.`,
  );
} catch (error) {
  fail(error);
}
