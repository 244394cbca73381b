import { expect, test } from 'vitest';
import { identityFromClaims } from './identity.ts';

const read = (claims: Record<string, unknown>) =>
  identityFromClaims('https://issuer.example', 'subject-1', claims);

test('names and mail address come from the claims of the same names', () => {
  expect(
    read({
      given_name: 'Ana',
      family_name: 'Li',
      name: 'ignored',
      email: 'ana@example.org',
      email_verified: true,
    }),
  ).toEqual({
    issuer: 'https://issuer.example',
    subject: 'subject-1',
    firstName: 'Ana',
    lastName: 'Li',
    fullName: 'Ana Li',
    email: 'ana@example.org',
    emailVerified: true,
  });
});

test('a name in one piece is split so that both parts joined give it again', () => {
  expect(read({ name: 'Ana Maria Li' })).toMatchObject({
    firstName: 'Ana Maria',
    lastName: 'Li',
    fullName: 'Ana Maria Li',
  });
  expect(read({ name: 'Ana' })).toMatchObject({ firstName: 'Ana', lastName: null, fullName: 'Ana' });
});

test('a mail address counts as verified only where the provider says so', () => {
  expect(read({ email: 'ana@example.org' }).emailVerified).toBe(false);
  expect(read({ email: 'ana@example.org', email_verified: 'true' }).emailVerified).toBe(true);
  expect(read({ email: 'not an address', email_verified: true })).toMatchObject({
    email: null,
    emailVerified: false,
  });
});

test('a picture at the provider is left there', () => {
  expect(JSON.stringify(read({ picture: 'http://tracker.example/a.png' }))).not.toContain('tracker');
});

test('claims of the wrong kind count as absent', () => {
  expect(read({ given_name: 7, family_name: '', name: null, email: [] })).toMatchObject({
    fullName: null,
    email: null,
  });
});
