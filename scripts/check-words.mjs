import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from './install.mjs';

// `npm run words`: refuses words that made earlier texts of this project hard to read. docs/house-style.md has the terms to use.

/** Each word, matched whole and in any case, with what to write instead. */
const WORDS = {
  told: 'say who reports what: "the error names the field"; for "told apart" write "distinguished"',
  anew: '"again"',
  'made anew': '"made again" or "replaced"',
  'drawn ahead': '"prerendered"',
  whoever: 'name the actor: "a guest", "a driver", "the owner"',
  nobody: 'turn the sentence round: "only the owner removes it", "a port without a listener"',
  henceforth: '"from now on", or nothing',
  wherefore: '"so" or "why"',
  thus: '"so", or nothing',
};

/** Files that are not checked, each with the reason. */
const SKIPPED_PATHS = {
  'CHANGELOG.md': 'history is not rewritten',
  'data/': 'data, and the licence texts of others',
  'server/kernel/database/migrations/': 'a migration never changes once it has run',
  'scripts/check-words.mjs': 'names the words',
  'scripts/check-words.test.ts': 'plants them',
};

/** Texts that may stay in one file, each with the reason. */
const PERMITTED_TEXTS = [
  { path: 'docs/decisions/0001-postgresql-everywhere.md', text: '`nobody`', reason: 'a UNIX account' },
  { path: 'docs/operations.md', text: '`nobody`', reason: 'a UNIX account' },
  { path: 'server/kernel/database/postgres-program.ts', text: "'nobody'", reason: 'a UNIX account' },
  {
    path: 'server/kernel/database/postgres-program.ts',
    text: 'postgres nor nobody',
    reason: 'a UNIX account',
  },
  {
    path: 'engine/simulation/write-racechrono.ts',
    text: 'Nobody drove this, and nobody ""was hurt""',
    reason: 'a note in the sample lap files, which are data',
  },
];

const CHECKED_NAMES = /\.(?:tsx?|mjs|css|html|md)$/;
// Longer texts first: "made anew" is one finding. A line may end within a text.
const FORBIDDEN = new RegExp(
  `\\b(?:${Object.keys(WORDS)
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(' ', '\\s+'))
    .join('|')})\\b`,
  'gi',
);

/**
 * The forbidden words in one file, as `path:line: …` with what to write instead.
 * @param {string} path from the project's folder, with `/`
 * @param {string} content
 * @returns {string[]}
 */
export function findWords(path, content) {
  if (!CHECKED_NAMES.test(path) || Object.keys(SKIPPED_PATHS).some((skipped) => path.startsWith(skipped))) {
    return [];
  }
  const permitted = PERMITTED_TEXTS.filter((entry) => entry.path === path);
  // Blanks of the same length keep the line numbers.
  const text = permitted.reduce((rest, entry) => rest.replaceAll(entry.text, blank), content);
  return [...text.matchAll(FORBIDDEN)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split('\n').length;
    const word = found.toLowerCase().replaceAll(/\s+/g, ' ');
    return `${path}:${line}: "${found.replaceAll(/\s+/g, ' ')}": write ${WORDS[word]}`;
  });
}

/** @param {string} text */
function blank(text) {
  return ' '.repeat(text.length);
}

/**
 * The findings in all tracked files; null where this is no git clone.
 * @returns {string[] | null}
 */
export function checkTrackedFiles() {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8' });
  if (status !== 0) return null;
  const paths = stdout.split('\0').filter((path) => CHECKED_NAMES.test(path));
  return paths.flatMap((path) => {
    const file = join(projectFolder, path);
    return existsSync(file) ? findWords(path, readFileSync(file, 'utf8')) : [];
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const findings = checkTrackedFiles();
  if (findings === null) console.log('This is no git clone, so its words are not checked.');
  for (const finding of findings ?? []) console.error(finding);
  process.exitCode = findings?.length ? 1 : 0;
}
