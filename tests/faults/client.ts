import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A lap file in memory. */
export type SampleFile = { name: string; content: string; sha256: string };

/** What became of one file: the session that the server acknowledged, its sentence, or no word at all. */
export type UploadOutcome = { sessionId: string } | { sentence: string } | { isUnanswered: true };

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

/** Uploads one file; a server that goes away while it works is an outcome like any other. */
export async function upload(
  url: string,
  cookie: string,
  trackId: string,
  { name, content }: SampleFile,
): Promise<UploadOutcome> {
  const body = new FormData();
  body.set('trackId', trackId);
  body.set('files', new File([content], name, { type: 'text/csv' }));
  try {
    const response = await fetch(`${url}/api/upload`, {
      method: 'POST',
      headers: { cookie, origin: url },
      body,
    });
    if (!response.ok) return { sentence: `${response.status}: ${await response.text()}` };
    const [result] = resultsSchema.parse(await response.json()).results;
    return result?.sessionId ? { sessionId: result.sessionId } : { sentence: result?.error ?? 'no result' };
  } catch (error) {
    if (error instanceof z.ZodError) throw error;
    return { isUnanswered: true };
  }
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
