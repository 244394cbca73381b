import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listFormatNames } from '#engine/formats/recognise.ts';
import { findProblem } from './testing/check-command.ts';
import {
  documentationPages,
  documentedCommands,
  listProjectFiles,
  lostFiles,
  lostLinks,
} from './testing/documentation.ts';
import { projectFolder } from './install.mjs';

const run = promisify(execFile);
const pages = documentationPages(projectFolder);
const commands = pages.flatMap(documentedCommands);

// Beside the project's own sources, and out of git's sight.
mkdirSync(join(projectFolder, 'dist'), { recursive: true });

/** Commands of blocks that are run here as they stand in the page, and what they must print. */
const RUN_HERE: [command: string, output: RegExp][] = [
  [
    'npm run --silent analyze -- data/lap-files/waterford-hills-25hz.csv',
    /Waterford Hills[\s\S]*Best: 1:16\.\d{3}/,
  ],
  [
    'npm run --silent convert -- data/lap-files/zandvoort-5hz.gpx --to vbo',
    /\[laptiming\]\r\nStart [\s\S]*\[data\]\r\n092030\.000 \+03143\./,
  ],
];

/** The others of our own, and where they are run instead. */
const RUN_ELSEWHERE: Record<string, string> = {
  'npx playwright test upload': 'Its tests are part of `npm run test:e2e`, a step of npm test.',
  'npx playwright test messages-boards': 'Its tests are part of `npm run test:e2e`, a step of npm test.',
  'npm start': 'tests/faults starts it on an empty data folder.',
  'npm test': 'It runs this test.',
  'npm run test:all': 'It runs npm test, and so this test.',
  'npm ci': 'Every installation runs it.',
  'npm run test:firefox': 'It needs a Firefox; .ci/run runs it.',
  'npm run check': 'Its parts are steps of npm test.',
  'npm run dev': 'It does not end; it is tried by hand.',
  'npm run format': 'It changes files; npm test runs the same program to compare.',
  'npm run test:unit': 'A step of npm test.',
  'npm run bench -- timing': 'It takes minutes; npm test checks that it exists.',
};

test('every command in the documentation exists, with its options and files', () => {
  const problems = commands.flatMap(({ page, command }) => {
    const problem = findProblem(command, projectFolder);
    return problem === null ? [] : [`${page}: \`${command}\`: ${problem}`];
  });
  expect(commands.length).toBeGreaterThan(30);
  expect(problems).toEqual([]);
});

test('every command that is in a block is run, here or elsewhere', () => {
  const known = [...RUN_HERE.map(([command]) => command), ...Object.keys(RUN_ELSEWHERE)];
  const unknown = commands
    .filter(({ isBlock, command }) => isBlock && /^np[mx] /.test(command))
    .filter(({ command }) => !known.includes(command) && !/^npx (?:vitest|tsx) /.test(command))
    .map(
      ({ page, command }) => `${page}: \`${command}\` belongs into RUN_HERE or RUN_ELSEWHERE of this test`,
    );
  expect(unknown).toEqual([]);
});

test.each(RUN_HERE)('%s', async (command, output) => {
  expect(commands.map((documented) => documented.command)).toContain(command);
  const { stdout } = await run('sh', ['-c', command], { cwd: projectFolder });
  expect(stdout).toMatch(output);
});

test('the example of the engine prints a track, its laps and a gap', async () => {
  const guide = pages.find(({ path }) => path === 'engine/README.md')?.text ?? '';
  const example = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  expect(await runExample(example)).toMatch(
    /^Waterford Hills, 99 % sure\nlap 2: 1:16\.\d{3} ± \d+ ms\n[\s\S]*gap .* 1,000 m: -?[1-9]\d* ms\n((straight|corner) \d+: -?\d+ ms\n)+$/,
  );
});

test('the reader of the guide to a new format reads the file of the guide', async () => {
  const guide = pages.find(({ path }) => path === 'docs/guides/add-a-format.md')?.text ?? '';
  const reader = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const lapFile = /```csv\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const example = `${reader.replaceAll("'../", "'#engine/formats/")}
const text = { bytes: new TextEncoder().encode(${JSON.stringify(lapFile)}), head: ${JSON.stringify(lapFile)} };
const { fixes, clock } = trailboxCsv.read(text);
console.log(trailboxCsv.recognise(text), clock, new Date(fixes.timesMs[0]).toISOString(), fixes.speedsMetersPerSecond[0].toFixed(2));`;
  expect(await runExample(example)).toBe('true utc 2026-06-21T14:03:17.250Z 39.25\n');
});

/** Returns the output of a program, which lies inside the project so that it finds `#engine/…` as its reader does. */
async function runExample(program: string): Promise<string> {
  const folder = mkdtempSync(join(projectFolder, 'dist', 'example-'));
  try {
    writeFileSync(join(folder, 'example.ts'), program);
    const tsx = join(projectFolder, 'node_modules', 'tsx', 'dist', 'cli.mjs');
    const { stdout } = await run(process.execPath, [tsx, join(folder, 'example.ts')], { cwd: projectFolder });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The cells of all rows with a rate. */
function rowsOf(path: string): string[][] {
  return (pages.find((page) => page.path === path)?.text ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|') && / Hz /.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

test('the accuracy that the front page gives is what docs/accuracy.md has measured', () => {
  const measured = rowsOf('docs/accuracy.md').map((row) => row.join('|'));
  const shown = rowsOf('README.md').map((row) => row.join('|'));
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.filter((row) => !measured.includes(row))).toEqual([]);
});

test('every format that is read has its row in docs/file-formats.md, and the front page counts them', () => {
  const rows = pages.find(({ path }) => path === 'docs/file-formats.md')?.text ?? '';
  const names = listFormatNames();
  expect(names.filter((name) => !rows.includes(`| \`${name}\` `))).toEqual([]);
  expect(pages.find(({ path }) => path === 'README.md')?.text).toContain(`${names.length} formats`);
});

test('every link and picture of the documentation leads somewhere', () => {
  const lost = pages.flatMap((page) => lostLinks(page, projectFolder).map((link) => `${page.path}: ${link}`));
  expect(lost).toEqual([]);
});

test('every file that a page names is there', () => {
  const files = listProjectFiles(projectFolder);
  const lost = pages.flatMap((page) => lostFiles(page, files).map((file) => `${page.path}: ${file}`));
  expect(lost).toEqual([]);
});

test('a file that was renamed is lost, by its whole path or by its name', () => {
  const text = '`server/app.ts`, `app.ts`, `#server/app.ts`, `erver/app.ts`, `server/apple.ts`, `*-store.ts`';
  const programs = '`node dist/server/app.js`, `node dist/server/old/app.js`';
  const folders = '`server/pages`, `server/pages/`, `server/old`';
  const projectFiles = ['server/app.ts', 'server/pages/page-head.ts'];
  expect(lostFiles({ path: 'page.md', text: `${text}, ${programs}, ${folders}` }, projectFiles)).toEqual([
    'erver/app.ts',
    'server/apple.ts',
    'server/old/app.ts',
    'server/old',
  ]);
});

test.each([
  ['npm run fly', "package.json has no script 'fly'."],
  ['npm run --silent analyze -- FILE --jason', "'analyze' has no option --jason."],
  ['npm run bench -- timing weather', "There is no benchmark 'weather'."],
  ['npx vitest run engine/wings', 'There is no engine/wings.'],
  ['npx eslint engine', "No package brings 'eslint'."],
  ['node scripts/stop.mjs', 'There is no scripts/stop.mjs.'],
  ['yarn start', "Unknown program 'yarn'."],
])('a page that says `%s` would be found out', (command, problem) => {
  expect(findProblem(command, projectFolder)).toBe(problem);
});

test('commands are found in blocks, without comments, and in sentences', () => {
  const text =
    'Type\n\n```sh\n# first\nnpm ci   # installs\nnpm run a -- \\\n  --b\n```\n\nor `A=1 npm test`, not `npm_config`.\n';
  expect(documentedCommands({ path: 'a.md', text })).toEqual([
    { page: 'a.md', command: 'npm ci', isBlock: true },
    { page: 'a.md', command: 'npm run a -- --b', isBlock: true },
    { page: 'a.md', command: 'A=1 npm test', isBlock: false },
  ]);
});

test('links to files and headings that are not there are lost', () => {
  const text =
    '[a](lost.md) [b](README.md#lost) [c](README.md#try-it) [d](https://example.org/x) ![e](docs/images/home-light.png)';
  expect(lostLinks({ path: 'page.md', text }, projectFolder)).toEqual(['lost.md', 'README.md#lost']);
});
