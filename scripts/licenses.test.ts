import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// oxlint-disable-next-line import/extensions -- Node runs it by itself.
import { checkLicenses } from './licenses.mjs';

const lockOf = (packages: Record<string, object>) => ({ packages: { '': {}, ...packages } });
const problemsOf = (packages: Record<string, object>): string[] => checkLicenses(lockOf(packages)).problems;

test('the packages of today are all permitted', () => {
  expect(checkLicenses(JSON.parse(readFileSync('package-lock.json', 'utf8'))).problems).toEqual([]);
});

test('a licence that is not permitted is found, however it is joined with others', () => {
  expect(problemsOf({ 'node_modules/a': { license: 'GPL-3.0-only' } })).toEqual([
    'a has the licence GPL-3.0-only, which is not permitted.',
  ]);
  expect(problemsOf({ 'node_modules/a': {} })).toHaveLength(1);
  expect(problemsOf({ 'node_modules/a': { license: '(MIT AND GPL-3.0-only)' } })).toHaveLength(1);
  expect(problemsOf({ 'node_modules/a': { license: '(MIT OR GPL-3.0-only)' } })).toEqual([]);
});

test('an exception is for the packages that it names', () => {
  const license = 'Apache-2.0 AND LGPL-3.0-or-later';
  expect(problemsOf({ 'node_modules/@img/sharp-win32-x64': { license } })).toEqual([]);
  expect(problemsOf({ 'node_modules/other': { license } })).toHaveLength(1);
});

test('a script at the installation is found, in nested packages too', () => {
  const path = 'node_modules/a/node_modules/@b/c';
  expect(problemsOf({ [path]: { license: 'MIT', hasInstallScript: true } })).toEqual([
    '@b/c runs a script when it is installed, which is not permitted.',
  ]);
});
