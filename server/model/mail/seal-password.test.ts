import { describe, expect, test } from 'vitest';
import { openPassword, sealPassword } from './seal-password.ts';

describe('a sealed password', () => {
  test('opens with the same secret for the same account alone, and never looks alike twice', () => {
    const sealed = sealPassword('secret', 'pässword', 'account');
    expect(openPassword('secret', sealed, 'account')).toBe('pässword');
    expect(sealPassword('secret', 'pässword', 'account')).not.toBe(sealed);
    expect(openPassword('another secret', sealed, 'account')).toBeNull();
    expect(openPassword('secret', sealed, 'another account')).toBeNull();
  });

  test('that was changed or cut does not open', () => {
    const bytes = Buffer.from(sealPassword('secret', 'password', 'account'), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(openPassword('secret', changed.toString('base64url'), 'account')).toBeNull();
    }
    for (const sealed of ['', 'AAAA', bytes.subarray(0, -1).toString('base64url')])
      expect(openPassword('secret', sealed, 'account')).toBeNull();
  });
});
