import { expect, test } from 'vitest';
import { projectFolder } from './install.mjs';
import { findBreaches, readSources } from './structure.ts';

const breaches = (files: Record<string, string>) => findBreaches(new Map(Object.entries(files)));

test('the sources of this project keep every rule', () => {
  const sources = readSources(projectFolder);
  expect([...sources.keys()]).toEqual(
    expect.arrayContaining(['engine/geo.ts', 'server/app.ts', 'web/main.tsx']),
  );
  expect(findBreaches(sources)).toEqual([]);
});

test.each([
  ['engine/laps.ts', '#contract/laps/labels.ts', 'The engine imports nothing but itself.'],
  ['engine/laps.ts', 'zod', 'The engine imports nothing but itself.'],
  ['contract/laps/schemas.ts', '#engine/geo.ts', 'The contract imports zod and types of the engine.'],
  ['contract/laps/schemas.ts', 'fastify', 'The contract imports zod and types of the engine.'],
  ['server/app.ts', '#web/main.tsx', 'The server imports engine and contract only.'],
  ['server/kernel/log.ts', '#server/model/laps/laps.ts', 'The kernel imports no noun of the product.'],
  ['server/model/laps/laps.ts', '#server/features/upload/upload.ts', 'The model imports the kernel'],
  ['server/features/upload/a.ts', '#server/features/demo/b.ts', 'never another feature'],
  ['server/pages/page.ts', '#server/features/demo/b.ts', 'never another feature'],
  ['server/features/upload/a.ts', '#server/features/upload/a-routes.ts', 'Only server/app.ts mounts routes.'],
  ['server/features/upload/a.ts', 'drizzle-orm', 'SQL lives in *-store.ts'],
  ['server/features/upload/a.ts', '#server/testing/test-app.ts', 'Nothing that ships imports testing code.'],
  ['server/features/upload/a.ts', '../demo/b.ts', "Import another folder as '#server/features/demo/b.ts'."],
  ['web/features/boards/board.ts', '#web/shell/nav.tsx', 'A feature imports only its own folder'],
  ['web/features/boards/board.ts', '#web/features/laps/lap.tsx', 'A feature imports only its own folder'],
  ['web/features/boards/board.ts', '#contract/laps/schemas.ts', 'Take values from labels.ts only'],
  ['web/ui/button.tsx', '#web/pages/home.tsx', 'know no feature, page or shell'],
  ['web/pages/home.tsx', '#server/app.ts', 'The browser has no server code.'],
])('%s may not import %s', (file, specifier, sentence) => {
  expect(breaches({ [file]: `import { thing } from '${specifier}';\n` }).join()).toContain(sentence);
  expect(breaches({ [file]: `const thing = await import('${specifier}');\n` }).join()).toContain(sentence);
});

test.each([
  ['contract/laps/schemas.ts', "import type { Lap } from '#engine/laps.ts';\n"],
  ['web/features/boards/board.ts', "import type { Lap } from '#contract/laps/schemas.ts';\n"],
  ['web/features/boards/board.ts', "import { LABELS } from '#contract/laps/labels.ts';\n"],
  [
    'server/features/upload/a.ts',
    "import { b } from './b.ts';\nimport { c } from '#server/model/laps/c.ts';\n",
  ],
  ['server/model/laps/lap-store.ts', "import { eq } from 'drizzle-orm';\n"],
  ['server/app.ts', "import { mount } from '#server/features/upload/upload-routes.ts';\n"],
])('%s may import what it does: %s', (file, text) => {
  expect(breaches({ [file]: text })).toEqual([]);
});

const SCHEMA = { 'server/model/laps/schema.ts': "export const lapFiles = pgTable('lap_files', {});\n" };

test.each([
  'sql`INSERT INTO lap_files VALUES (1)`',
  'sql`UPDATE lap_files SET a = 1`',
  'sql`DELETE FROM lap_files`',
  'db.insert(lapFiles)',
  'db.update(lapFiles)',
  'db.delete(lapFiles)',
])('only the folder of a table writes it: %s', (text) => {
  expect(breaches({ ...SCHEMA, 'server/model/people/user-store.ts': text })).toEqual([
    'server/model/people/user-store.ts writes lap_files: only server/model/laps does.',
  ]);
  expect(breaches({ ...SCHEMA, 'server/model/laps/lap-store.ts': text })).toEqual([]);
});

test('a form of the web client is the shared one, which moves to the first problem', () => {
  const text = 'export const Add = () => <form onSubmit={add} />;';
  expect(breaches({ 'web/features/laps/add.tsx': text })).toEqual([
    'web/features/laps/add.tsx has <form: Take Form of web/ui/form.tsx, which moves to the first problem.',
  ]);
  expect(breaches({ 'web/ui/form.tsx': text })).toEqual([]);
  expect(breaches({ 'web/features/laps/add.tsx': '<Form onSubmit={add} />' })).toEqual([]);
});

test.each([
  'const text = `${speed} km/h`;',
  "const unit = isMiles ? 'mph' : '';",
  'const title = <h2>Length, {length} m</h2>;',
  'const far = `${distance} km away`;',
  "const spoken = 'At 5 metres';",
  'const warm = `${degrees} °C`;',
  'const day = new Date(iso).toLocaleDateString();',
  "const format = new Intl.NumberFormat('de');",
  'const month = date.getMonth() + 1;',
])('a page has no unit and no form of a date of its own: %s', (text) => {
  expect(breaches({ 'web/features/laps/facts.tsx': text })).toEqual([
    expect.stringContaining('web/ui/format.ts'),
  ]);
  expect(breaches({ 'web/ui/format.ts': text })).toEqual([]);
});

test('a comment may name a unit, and a path or a name may look like one', () => {
  const text = [
    '/** Formats a speed: 107 km/h. */',
    '// The browser has Intl.DateTimeFormat.',
    'const path = `M${x}m-4 0l8 3`;',
    'const { meters, speedsKmh } = lap;',
    "const sentence = 'I am in';",
  ].join('\n');
  expect(breaches({ 'web/features/laps/facts.tsx': text })).toEqual([]);
});
