import { randomBytes } from 'node:crypto';
import { hashToken } from '#server/model/people/auth-cookie.ts';

const CODES = 10;
// The alphabet has 32 letters, so each byte chooses them with equal probability; i, l, o and 1 are absent, because they
// resemble others.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz023456789';
// 24 of 32 letters are 120 bits: more than the 112 from which ASVS 2.6.2 accepts a plain hash.
const CHARACTERS = 24;

/** Makes new codes to show once, in groups of six, and the hashes to store. */
export function makeRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, () =>
    Array.from(randomBytes(CHARACTERS), (byte) => LETTERS[byte % LETTERS.length]).join(''),
  );
  return {
    codes: codes.map((code) => code.replaceAll(/(.{6})(?=.)/g, '$1-')),
    hashes: codes.map(hashRecoveryCode),
  };
}

/** Hashes a typed code; capitals, hyphens and spaces make no difference. */
export function hashRecoveryCode(code: string): string {
  return hashToken(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}
