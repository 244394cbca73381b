import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFolderCycles, readSources } from './folder-cycles.ts';
import { projectFolder } from './install.mjs';

function loopsIn(files: Record<string, string>): string[][] {
  return findFolderCycles(new Map(Object.entries(files))).map(({ loop }) => loop.toSorted());
}

test('two folders that import each other are a cycle, also where only types are imported', () => {
  const cycles = findFolderCycles(
    new Map([
      ['server/laps/laps.ts', "import { track } from '#server/tracks/tracks.ts';"],
      ['server/laps/lap-times.ts', ''],
      ['server/tracks/tracks.ts', ''],
      ['server/tracks/records.ts', "import type { LapTime } from '../laps/lap-times.ts';"],
    ]),
  );
  expect(cycles).toEqual([
    {
      loop: ['server/laps', 'server/tracks'],
      imports: [
        'server/laps/laps.ts imports server/tracks/tracks.ts',
        'server/tracks/records.ts imports server/laps/lap-times.ts',
      ],
    },
  ]);
});

test('longer loops are found, in whatever way a file is imported', () => {
  const files = {
    'web/features/laps/list.tsx': "const page = await import('../boards/board.tsx');",
    'web/features/boards/board.tsx': "export { car } from '#web/features/cars/car.ts';",
    'web/features/cars/car.ts': "import '../laps/laps.css.ts';",
    'web/features/laps/laps.css.ts': '',
  };
  expect(loopsIn(files)).toEqual([['web/features/boards', 'web/features/cars', 'web/features/laps']]);
});

test('a folder and a file next to it that import each other are a cycle, and so are two layers', () => {
  expect(
    loopsIn({
      'engine/geo.ts': "import { trace } from './trace/trace.ts';",
      'engine/trace/trace.ts': "import { geo } from '../geo.ts';",
      'contract/laps/schemas.ts': "import type { Row } from '#server/rows.ts';",
      'server/rows.ts': "import type { Lap } from '#contract/laps/schemas.ts';",
    }),
  ).toEqual([
    ['engine/geo.ts', 'engine/trace'],
    ['contract', 'server'],
  ]);
});

test('files that are put together above a folder, and used by it from beside it, are no cycle', () => {
  const files = {
    'engine/time-lap-file.ts': "import { trace } from './trace/trace.ts';",
    'engine/trace/trace.ts': "import { geo } from '../geo.ts';\nimport { rows } from './rows/rows.ts';",
    'engine/trace/rows/rows.ts': "import { geo } from '#engine/geo.ts';",
    'engine/geo.ts': "import { readFile } from 'node:fs';",
  };
  expect(loopsIn(files)).toEqual([]);
});

test('the folders of this project have no cycles', () => {
  const sources = readSources(projectFolder);
  expect([...sources.keys()]).toEqual(
    expect.arrayContaining(['engine/geo.ts', 'server/app.ts', 'web/main.tsx']),
  );
  expect(findFolderCycles(sources)).toEqual([]);
});

test.each([
  ['contract/laps/schemas.ts', '#engine/geo.ts', 'Take types of the engine only'],
  ['engine/laps.ts', '#contract/laps.ts', 'The engine imports nothing but itself'],
  ['server/laps/laps.ts', '#web/main.tsx', 'The server imports engine and contract only'],
  ['web/features/boards/board.ts', '#web/shell/nav.tsx', 'A feature imports only its own folder'],
  ['web/features/boards/board.ts', '#web/pages/home.tsx', 'A feature imports only its own folder'],
  ['web/features/boards/board.ts', '#web/main.tsx', 'A feature imports only its own folder'],
  ['web/ui/button.ts', '#web/features/boards/board.ts', 'no feature, page or shell'],
  ['web/ui/button.ts', '../pages/home.tsx', 'no feature, page or shell'],
  ['web/api/call-api.ts', '#web/shell/nav.tsx', 'no feature, page or shell'],
])('lint refuses that %s imports %s', (file, specifier, sentence) => {
  expect(lint(file, `import { thing } from '${specifier}';\nthing();\n`)).toContain(sentence);
});

test('lint lets the contract import types of the engine', () => {
  expect(
    lint('contract/laps/schemas.ts', "import type { Lap } from '#engine/laps.ts';\nexport type Laps = Lap[];\n"),
  ).toContain('Found 0 warnings and 0 errors');
});

/** What lint says of one file in a folder of its own with the settings of this project. */
function lint(file: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pitboard-lint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(projectFolder, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  const program = join(projectFolder, 'node_modules', 'oxlint', 'bin', 'oxlint');
  return spawnSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' }).stdout;
}
