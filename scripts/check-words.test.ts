import { expect, test } from 'vitest';
import { checkTrackedFiles, findWords } from './check-words.mjs';

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

test('no tracked file has a forbidden word', () => {
  expect(checkTrackedFiles() ?? []).toEqual([]);
});
