import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reachedTests } from './reached-tests.mjs';

const FILES = {
  'engine/geo.ts': '',
  'engine/geo.test.ts': "import { planeAround } from './geo.ts';",
  'engine/laps.ts': "import { planeAround } from './geo.ts';",
  'engine/laps.test.ts': "import { laps } from './laps.ts';",
  'web/board.ts': "import type { Lap } from '#engine/laps.ts';",
  'web/board.test.ts': "import { board } from './board.ts';",
  'server/model/boards/board-store.ts': "import { laps } from '#engine/laps.ts';",
  'server/features/boards/board-routes.test.ts': "import { app } from '../app.ts';",
  'server/features/profile/user-routes.test.ts': "import { app } from '../app.ts';",
  'scripts/documentation.test.ts': '',
};

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reached-tests-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['nothing', [], []],
  [
    'a module, through others too',
    ['engine/geo.ts'],
    ['engine/geo.test.ts', 'engine/laps.test.ts', 'web/board.test.ts'],
  ],
  ['a module at the end', ['web/board.ts'], ['web/board.test.ts']],
  ['a test', ['engine/laps.test.ts'], ['engine/laps.test.ts']],
  [
    'the server, by its folder',
    ['server/model/boards/board-store.ts'],
    ['server/features/boards/board-routes.test.ts'],
  ],
  ['a page', ['docs/timing.md'], ['scripts/documentation.test.ts']],
  ['a module that is gone', ['engine/gone.ts'], []],
])('a change of %s', (_name, changed, tests) => {
  expect(reachedTests(changed, folder)).toEqual(tests);
});
