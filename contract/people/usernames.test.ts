import { expect, test } from 'vitest';
import { formatUsername } from './labels.ts';

const NOTHING = { email: null, firstName: null, lastName: null, displayName: null };

test('the username is the local part of the e-mail address', () => {
  expect(formatUsername({ ...NOTHING, email: 'sam.w@example.com', firstName: 'Sam' })).toBe('sam.w');
});

test('without a mail address the username is the name in plain letters', () => {
  expect(formatUsername({ ...NOTHING, firstName: 'Zoë', lastName: "O'Neill" })).toBe('zoe.o.neill');
  expect(formatUsername({ ...NOTHING, email: '', displayName: 'Team 27' })).toBe('team.27');
});

test('without a mail address and a name there is no username', () => {
  expect(formatUsername(NOTHING)).toBeNull();
  expect(formatUsername({ ...NOTHING, email: '', displayName: '🏎️' })).toBeNull();
});
