import { randomBytes } from 'node:crypto';
import { hashToken } from '#server/model/people/auth-cookie.ts';

const CODES = 10;
// 32 of them, so that each byte chooses all alike; without i, l, o and 1, which look like others.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz023456789';
// 24 of 32 letters are 120 bits: more than the 112 from which ASVS 2.6.2 takes a plain hash.
const CHARACTERS = 24;

/** New codes to show once, in groups of six, and the hashes to keep. */
export function makeRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, () =>
    Array.from(randomBytes(CHARACTERS), (byte) => LETTERS[byte % LETTERS.length]).join(''),
  );
  return {
    codes: codes.map((code) => code.replaceAll(/(.{6})(?=.)/g, '$1-')),
    hashes: codes.map(hashRecoveryCode),
  };
}

/** Of a code as somebody types it: capitals, hyphens and spaces make no difference. */
export function hashRecoveryCode(code: string): string {
  return hashToken(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}
