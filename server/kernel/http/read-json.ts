import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Reads bodies of the type `application/json` and no other; what is not UTF-8 is refused rather than stored with holes. */
export function readJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.is404) {
      // Nothing reads it, and parsing takes time.
      done(null);
      return;
    }
    const text = typeof body === 'string' ? body : decode(body);
    if (text === null) done(new AppError('invalid_input', 'The body of the request is not valid UTF-8.'));
    else void parse(request, text, done);
  });
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// Other parameters than the character set mean nothing in JSON, and no client sends them.
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Refuses anything but JSON, or nothing, except for calls that take files. @throws AppError `unsupported_type` */
export function checkContentType(endpoint: Endpoint, { headers }: FastifyRequest): void {
  if (endpoint.method === 'GET' || endpoint.multipart || endpoint.rawBody) return;
  const type = headers['content-type'];
  if (type === undefined || JSON_TYPE.test(type)) return;
  throw new AppError('unsupported_type', 'This call takes JSON in UTF-8 (application/json).');
}

/** Says whether the body is an object, before its fields are looked at. @throws AppError `invalid_input` */
export function checkIsObject(body: unknown): void {
  if (body === undefined) throw new AppError('invalid_input', 'The body of the request is empty.');
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw new AppError('invalid_input', 'The body of the request must be a JSON object.');
}

/** Answers text that the database refuses. */
export const UNSTORABLE_TEXT_SENTENCE = 'The text holds a character that cannot be stored.';

// The zero character, and halves of characters that are written in two parts.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Returns whether a value of JSON, which may be deep, holds text or a name of a field that the database refuses. */
export function holdsUnstorableText(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one === 'string' && UNSTORABLE.test(one)) return true;
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, field] of Object.entries(one)) pending.push(name, field);
  }
  return false;
}
