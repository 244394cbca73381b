import process from 'node:process';
import { parseArgs } from 'node:util';

/** Each benchmark prints its own table. `npm run bench` runs all, `npm run bench -- parsing` only those named. */
const BENCHMARKS: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  parsing: () => import('./parsing.ts'),
  timing: () => import('./timing.ts'),
  uncertainty: () => import('./uncertainty.ts'),
  matching: () => import('./matching.ts'),
  recognition: () => import('./recognition.ts'),
  courses: () => import('./courses.ts'),
  bands: () => import('./bands.ts'),
  explanations: () => import('./explanations.ts'),
  comparison: () => import('./comparison.ts'),
  boards: () => (values['citus'] === true ? import('./citus.ts') : import('./boards.ts')),
  'lap-view': () => import('./lap-view.ts'),
  uploads: () => import('./uploads.ts'),
  tracks: () => import('./tracks.ts'),
  'first-page': () => import('./first-page.ts'),
  navigation: () => import('./navigation.ts'),
  neighbours: () => import('./neighbours.ts'),
  flags: () => import('./flags.ts'),
  camera: () => import('./camera.ts'),
  passwords: () => import('./passwords.ts'),
  live: () => import('./live.ts'),
  'drive-screen': () => import('./drive-screen.ts'),
  'pit-wall': () => import('./pit-wall.ts'),
};

// Options belong to the benchmarks, which read them by themselves.
const { positionals: names, values } = parseArgs({
  options: { laps: { type: 'string' }, citus: { type: 'boolean' } },
  allowPositionals: true,
  strict: false,
});
const unknown = names.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(
    `No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}.`,
  );
  process.exit(2);
}

for (const [name, load] of Object.entries(BENCHMARKS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n# ${name}\n`);
  const benchmark = await load();
  await benchmark.run();
}
