import { expect, test } from 'vitest';
import { checkTrackedFiles, findFragments, findWords } from './check-words.mjs';

test('a forbidden word is found with its line and a replacement', () => {
  expect(findWords('engine/a.ts', '// one\n// It is timed ANEW.\n')).toEqual([
    'engine/a.ts:2: "ANEW": write "again"',
  ]);
  expect(findWords('docs/a.md', 'It is made\nanew, thus right.')).toEqual([
    'docs/a.md:1: "made anew": write "made again" or "replaced"',
    'docs/a.md:2: "thus": write "so", or nothing',
  ]);
});

test('parts of words and other files are free', () => {
  expect(findWords('engine/a.ts', 'const isTold = renewed;')).toEqual([]);
  expect(findWords('CHANGELOG.md', 'Timed anew.')).toEqual([]);
  expect(findWords('data/a.md', 'Nobody drove it.')).toEqual([]);
});

test('the UNIX account is permitted in its files, the same word elsewhere is not', () => {
  expect(findWords('docs/operations.md', 'It runs as `nobody`.')).toEqual([]);
  expect(findWords('docs/operations.md', '`nobody`\nNobody reads it.')).toHaveLength(1);
  expect(findWords('docs/api.md', 'It runs as `nobody`.')).toHaveLength(1);
});

test('a comment that begins as a fragment is found with its line, in each form of comment', () => {
  const source = [
    '/** What a lap is. */',
    '/**',
    ' * Of the track.',
    ' */',
    'type Lap = {',
    '  // Whether it ranks,',
    '  // which a status says.',
    '  ranks: boolean;',
    '};',
    'return <>{/* By name. */}</>;',
  ].join('\n');
  const advice = 'begin the comment with a verb or with its subject';
  expect(findFragments('web/a.tsx', source)).toEqual([
    `web/a.tsx:1: "What a lap is. */": ${advice}`,
    `web/a.tsx:3: "Of the track.": ${advice}`,
    `web/a.tsx:6: "Whether it ranks,": ${advice}`,
    `web/a.tsx:10: "By name. */}</>;": ${advice}`,
  ]);
});

test('sentences, later lines of a comment, comments after code, texts and other files are free', () => {
  const source = [
    '/** Returns the laps of a drive. */',
    '// The server answers',
    '// what a driver asks.',
    '/**',
    ' * Finds laps',
    ' * of a track.',
    ' */',
    'const speed = 3; // As SI',
    "const accept = '*/* Of';",
    '// Offsets are metres.',
  ].join('\n');
  expect(findFragments('engine/a.ts', source)).toEqual([]);
  expect(findFragments('docs/a.md', '// Of the track.')).toEqual([]);
});

test('no tracked file has a forbidden word, and no comment begins as a fragment', () => {
  expect(checkTrackedFiles() ?? []).toEqual([]);
});
