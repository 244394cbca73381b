import { createHmac, timingSafeEqual } from 'node:crypto';
import { imageEndpoints } from '#contract/images/schemas.ts';
import type { UploadAddresses } from '#server/kernel/storage/storage.ts';

// A storage that browsers cannot reach needs upload addresses on this server: `/api/objects/{key}.{end}.{signature}`.

export type UploadToken = { key: string; isExpired: boolean };

const PATH = imageEndpoints.receive.path.replace(':token', '');

export function openUploadUrls(publicUrl: string, secret: string): UploadAddresses {
  return {
    origin: new URL(publicUrl).origin,
    sign: async (key, lastsSeconds) => {
      const claim = `${Buffer.from(key).toString('base64url')}.${Math.floor(Date.now() / 1000) + lastsSeconds}`;
      return `${publicUrl}${PATH}${claim}.${createSignature(claim, secret)}`;
    },
    keyOf: (address) => {
      const prefix = publicUrl + PATH;
      if (!address.startsWith(prefix)) return null;
      return readUploadToken(address.slice(prefix.length), secret)?.key ?? null;
    },
  };
}

/** Reads the permission of a token; null where it was not signed with `secret`. */
export function readUploadToken(token: string, secret: string): UploadToken | null {
  const [encodedKey = '', endSeconds = '', signature = '', ...rest] = token.split('.');
  const expected = Buffer.from(createSignature(`${encodedKey}.${endSeconds}`, secret));
  const given = Buffer.from(signature);
  const isGenuine = rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
  if (!isGenuine) return null;
  return {
    key: Buffer.from(encodedKey, 'base64url').toString(),
    isExpired: Number(endSeconds) * 1000 <= Date.now(),
  };
}

/** Signs a claim together with its purpose, because the same secret signs cookies. */
function createSignature(claim: string, secret: string): string {
  return createHmac('sha256', secret).update(`upload address\n${claim}`).digest('base64url');
}
