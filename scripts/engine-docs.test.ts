import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineModules, PUBLIC_MODULES } from './engine-modules.ts';
import { enginePage } from './engine-page.ts';
import { exportedDeclarations } from './exported-declarations.ts';
import { projectFolder } from './install.mjs';

const modules = engineModules(projectFolder);
const guide = readFileSync(join(projectFolder, 'engine', 'README.md'), 'utf8');

test('everything that the engine exports has a doc comment', () => {
  const bare = modules.flatMap(({ path, declarations }) =>
    declarations
      .filter(({ comment }) => comment === null)
      .map(({ name, line }) => `${path}:${line} ${name} needs a comment /** … */ right above it`),
  );
  expect(bare).toEqual([]);
});

test('the page has an entry for every public function and type, with its comment and its source', () => {
  const page = enginePage(modules, guide);
  const open = modules.filter(({ path }) => PUBLIC_MODULES.includes(path));
  expect(open.map(({ path }) => path)).toEqual(PUBLIC_MODULES.toSorted());
  for (const { path, declarations } of open) {
    const module = path.slice('engine/'.length, -'.ts'.length).replaceAll('/', '.');
    for (const { name } of declarations) expect(page).toContain(`<h3 id="${module}.${name}">${name} `);
  }
  expect(page).toContain('Throws <code>UnreadableLapFileError</code> where the bytes are no lap file.');
});

test('the page begins with the example of the guide, and says of each public module what it is for', () => {
  const page = enginePage(modules, guide);
  expect(page.indexOf('const file = openLapFile(')).toBeLessThan(page.indexOf('<section>'));
  expect(page).toMatch(/id="lap-time">lap-time<\/h2><p><code>formatLapTime<\/code>/);
  expect(page.indexOf('id="time-lap-file.openLapFile"')).toBeLessThan(
    page.indexOf('id="time-lap-file.TimedLaps"'),
  );
});

test('every link of the page leads to one of its entries or to a file', () => {
  const page = enginePage(modules, guide);
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const paths = new Set(modules.map(({ path }) => `../../${path}`));
  const targets = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  const lost = targets.filter((href) =>
    href.startsWith('#') ? !anchors.has(href.slice(1)) : !paths.has(href),
  );
  expect(targets.length).toBeGreaterThan(100);
  expect(lost).toEqual([]);
});

test('the guide of the engine names every public module', () => {
  expect(PUBLIC_MODULES.filter((path) => !guide.includes(`(${path.slice('engine/'.length)})`))).toEqual([]);
});

test('a declaration is shown with its comment and without its body', () => {
  const source =
    '/** Twice as long, in\n * milliseconds. */\nexport function twice(timeMs: number): number {\n  return 2 * timeMs;\n}\n';
  expect(exportedDeclarations('a.ts', source)).toEqual([
    {
      name: 'twice',
      kind: 'function',
      signature: 'function twice(timeMs: number): number',
      comment: 'Twice as long, in\nmilliseconds.',
      line: 3,
    },
  ]);
});

test('a comment for the line before, or one that is no doc comment, documents nothing', () => {
  const source =
    '/** The first. */\nconst first = 1;\nexport const second = first;\n// Not a doc comment.\nexport type Third = number;\n';
  expect(exportedDeclarations('a.ts', source).map(({ comment }) => comment)).toEqual([null, null]);
});
