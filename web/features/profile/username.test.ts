import { expect, test } from 'vitest';
import { usernameOf } from './username.ts';

test('the username is the local part of the e-mail address', () => {
  expect(usernameOf('sam.w@example.com')).toBe('sam.w');
});

test('without an address there is no username', () => {
  expect(usernameOf(null)).toBeNull();
  expect(usernameOf('')).toBeNull();
});
