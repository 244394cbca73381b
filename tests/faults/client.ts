import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A lap file in memory. */
export type SampleFile = { name: string; content: string; sha256: string };

/** The outcome of one file is the session that the server acknowledged, its sentence, or no word at all. */
export type UploadOutcome = { sessionId: string } | { sentence: string } | { isUnanswered: true };

/** Calls go to this server, as this person. */
export type Client = { url: string; cookie: string };

/** An answer; a server that went away answers with status 0 and nothing. */
export type Answer = { status: number; body: unknown };

const resultsSchema = z.object({
  results: z.array(
    z.object({ success: z.boolean(), sessionId: z.string().optional(), error: z.string().optional() }),
  ),
});

export function sampleFile(name: string, content: string): SampleFile {
  return { name, content, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Signs in with a local account, the way a browser does; gives the cookies to send from then on. */
export async function signIn(url: string, account: string): Promise<string> {
  const cookies = new Map<string, string>();
  const choice = await follow(url, cookies, '/api/login?returnTo=/');
  await follow(url, cookies, choice, new URLSearchParams({ account }));
  return cookieHeader(cookies);
}

/** Makes one call; a body that is neither a file nor a form goes as JSON. A server that goes away while it works is an answer like any other. */
export async function call(
  { url, cookie }: Client,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  try {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        cookie,
        origin: new URL(url).origin,
        ...(!(body instanceof FormData) && body && { 'content-type': typeOf(body) }),
      },
      ...(body && { body: payloadOf(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch {
    return { status: 0, body: null };
  }
}

function typeOf(body: object): string {
  return body instanceof Blob ? 'application/octet-stream' : 'application/json';
}

function payloadOf(body: object): string | Blob | FormData {
  return body instanceof Blob || body instanceof FormData ? body : JSON.stringify(body);
}

/** Uploads one file. */
export async function upload(
  client: Client,
  trackId: string,
  { name, content }: SampleFile,
): Promise<UploadOutcome> {
  const form = new FormData();
  form.set('trackId', trackId);
  form.set('files', new File([content], name, { type: 'text/csv' }));
  const { status, body } = await call(client, 'POST', '/api/upload', form);
  if (status === 0) return { isUnanswered: true };
  if (status !== 200) return { sentence: `${status}: ${JSON.stringify(body)}` };
  const [result] = resultsSchema.parse(body).results;
  return result?.sessionId ? { sessionId: result.sessionId } : { sentence: result?.error ?? 'no result' };
}

/** Opens a page or sends a form, goes where redirects lead, keeps cookies; gives the path where it ends. */
async function follow(
  url: string,
  cookies: Map<string, string>,
  path: string,
  form?: URLSearchParams,
): Promise<string> {
  const response = await fetch(new URL(path, url), {
    redirect: 'manual',
    headers: { accept: 'text/html', origin: url, cookie: cookieHeader(cookies) },
    ...(form && { method: 'POST', body: form }),
  });
  for (const header of response.headers.getSetCookie()) {
    const [pair = ''] = header.split(';', 1);
    const separator = pair.indexOf('=');
    cookies.set(pair.slice(0, separator), pair.slice(separator + 1));
  }
  const location = response.headers.get('location');
  if (location === null) return path;
  const next = new URL(location, new URL(path, url));
  return follow(url, cookies, next.pathname + next.search);
}

function cookieHeader(cookies: Map<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Returns the cookies that an answer has a browser send from then on. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}
