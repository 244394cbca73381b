import type { LightMyRequestResponse } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorBodySchema } from '#contract/errors.ts';

/** Texts that have broken other servers, for every parameter of a path. */
export const GARBAGE = [
  "'; DROP TABLE laps; --",
  "1' OR '1'='1",
  '%00',
  '%0d%0aset-cookie:%20a=b',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%F0%9F%8F%81',
  '%E2%80%AE%D8%B9',
  '%ED%A0%80',
  '%zz',
  'a'.repeat(10_000),
  '9'.repeat(400),
  '-1',
  'NaN',
  '[object Object]',
  '__proto__',
  '$%7Bjndi:ldap://x%7D',
];

/** Content types that no call takes. */
export const WRONG_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/jsonp',
  'application/octet-stream',
  'nonsense',
];

/** Reads the message of an error: from a page for the link of a mail, else from JSON. */
export function readMessage(
  { path, method }: Endpoint,
  response: LightMyRequestResponse,
): string | undefined {
  const isLinkOfMail = method === 'GET' && path === '/api/mail/unsubscribe';
  return isLinkOfMail && String(response.headers['content-type']).startsWith('text/html')
    ? /<p>\s*(.+?)\s*<\/p>/s.exec(response.body)?.[1]
    : errorBodySchema.parse(response.json()).message;
}
