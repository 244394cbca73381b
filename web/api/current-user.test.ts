import { expect, test } from 'vitest';
import { parseUsername } from './current-user.ts';

test('the username is the local part of the e-mail address', () => {
  expect(parseUsername('sam.w@example.com')).toBe('sam.w');
});

test('without an address there is no username', () => {
  expect(parseUsername(null)).toBeNull();
  expect(parseUsername('')).toBeNull();
});
