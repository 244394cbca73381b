import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from './install.mjs';

// `npm run words` refuses words that made earlier texts of this project hard to read, and comments that begin as
// fragments. docs/house-style.md has the terms to use.

/** Each word is matched whole and in any case; its value is the advice. */
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

/** A comment that begins with one of these words is nearly always a fragment: 'Of the track.', 'What a lap is.' */
const FRAGMENT_WORDS = [
  'As',
  'By',
  'Of',
  'Those',
  'What',
  'Where',
  'Whether',
  'Which',
  'Who',
  'Whoever',
  'Whose',
];

/** These files are not checked, each for the given reason. */
const SKIPPED_PATHS = {
  'CHANGELOG.md': 'history is not rewritten',
  'data/': 'data, and the licence texts of others',
  'server/kernel/database/migrations/': 'a migration never changes once it has run',
  'scripts/check-words.mjs': 'names the words',
  'scripts/check-words.test.ts': 'plants them',
};

/** These texts may stay in one file, each for the given reason. */
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
// Longer texts are matched first: "made anew" is one finding. A line may end within a text.
const FORBIDDEN = new RegExp(
  `\\b(?:${Object.keys(WORDS)
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(' ', '\\s+'))
    .join('|')})\\b`,
  'gi',
);

/**
 * Finds the forbidden words in one file, as `path:line: …` with the advice.
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

const COMMENTED_NAMES = /\.(?:tsx?|mjs)$/;
const FRAGMENT = new RegExp(`^(?:${FRAGMENT_WORDS.join('|')})\\b.{0,40}`);

/**
 * Finds comments that begin with a fragment word, as `path:line: …`. A run of `//` lines is one comment; a `//` after code is
 * free, because it is often a unit or a source.
 * @param {string} path from the project's folder, with `/`
 * @param {string} content
 * @returns {string[]}
 */
export function findFragments(path, content) {
  if (!COMMENTED_NAMES.test(path) || Object.keys(SKIPPED_PATHS).some((skipped) => path.startsWith(skipped))) {
    return [];
  }
  const lines = content.split('\n');
  return lines.flatMap((line, index) => {
    const text = findCommentStart(lines, index);
    const found = text === null ? null : FRAGMENT.exec(text);
    if (found === null) return [];
    return [`${path}:${index + 1}: "${found[0]}": begin the comment with a verb or with its subject`];
  });
}

/**
 * Finds the text that the comment which begins on a line has there; null where no comment begins.
 * @param {string[]} lines
 * @param {number} index
 */
function findCommentStart(lines, index) {
  const line = lines[index];
  const isLine = /^\s*\/\//;
  if (isLine.test(line)) return isLine.test(lines[index - 1] ?? '') ? null : line.replace(isLine, '').trim();
  // The first line of a block may contain only its asterisks.
  if (/^\s*\/\*\*?\s*$/.test(lines[index - 1] ?? '')) return line.replace(/^\s*\*?\s*/, '');
  return /(?:^|[\s{(])\/\*\*?\s+(\S.*)/.exec(line)?.[1] ?? null;
}

/** @param {string} text */
function blank(text) {
  return ' '.repeat(text.length);
}

/**
 * Lists the findings in all tracked files; null outside a git clone.
 * @returns {string[] | null}
 */
export function checkTrackedFiles() {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8' });
  if (status !== 0) return null;
  const files = stdout
    .split('\0')
    .filter((path) => CHECKED_NAMES.test(path) && existsSync(join(projectFolder, path)))
    .map((path) => ({ path, content: readFileSync(join(projectFolder, path), 'utf8') }));
  return files.flatMap(({ path, content }) => [...findWords(path, content), ...findFragments(path, content)]);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const findings = checkTrackedFiles();
  if (findings === null) console.log('This is no git clone, so its words are not checked.');
  for (const finding of findings ?? []) console.error(finding);
  process.exitCode = findings?.length ? 1 : 0;
}
