import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { ensureInstalled, projectFolder } from './install.mjs';

// `npm run test:samples` compares every recording in the folder LAP_SAMPLES with the lap times of its own device, prints which laps
// carry a warning, then runs the tests on them.

const given = process.env['LAP_SAMPLES'];
const folder = given === undefined ? undefined : resolve(process.env['INIT_CWD'] ?? '.', given);
if (folder === undefined || !existsSync(join(folder, 'lap-files')) || !existsSync(join(folder, 'truth'))) {
  console.log(
    folder === undefined
      ? 'Skipped: real recordings are not part of Pitboard, because they belong to those who drove them.'
      : `${folder} has no folders lap-files and truth.`,
  );
  console.log(
    'Name a folder of your own: LAP_SAMPLES=<folder> npm run test:samples. It needs lap-files/ with the recordings and truth/ with\n' +
      'one <file>.json each, as described in docs/file-formats.md.',
  );
  process.exit(folder === undefined ? 0 : 2);
}

ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const { reportSamples } = await import('./sample-report.ts');
const isRight = reportSamples(folder);
const readers = ['samples', 'text-samples', 'binary-samples'].map((name) => `engine/formats/${name}.test.ts`);
const tests = [
  'engine/real-recordings.test.ts',
  'engine/export/round-trip.recordings.test.ts',
  ...readers,
  'engine/validity/false-alarms.long.test.ts',
  'scripts/analyze.test.ts',
];
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tests], {
  cwd: projectFolder,
  stdio: 'inherit',
  env: { ...process.env, LAP_SAMPLES: folder, PITBOARD_LONG_TESTS: 'on' },
});
process.exit(isRight ? (status ?? 1) : 1);
