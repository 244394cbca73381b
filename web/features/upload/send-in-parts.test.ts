import { afterEach, expect, test, vi } from 'vitest';
import { sendInParts } from './send-in-parts.ts';

afterEach(() => vi.unstubAllGlobals());

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const file = new File([new Uint8Array(5_000_000).fill(7)], 'long.csv');

/** A server that takes parts; `fail` gives what becomes of a call instead, by its number. */
function stubServer(fail: (call: number) => Response | TypeError | undefined): Blob[] {
  const parts: Blob[] = [];
  let calls = 0;
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', (url: string, { body }: { body?: unknown }) => {
    calls += 1;
    const failure = fail(calls);
    if (failure instanceof TypeError) return Promise.reject(failure);
    if (failure) return Promise.resolve(failure);
    if (body instanceof Blob) parts.push(body);
    const receivedBytes = parts.reduce((sum, part) => sum + part.size, 0);
    if (body instanceof Blob)
      expect(url).toBe(`/api/pending-files/token?offset=${receivedBytes - body.size}`);
    return Promise.resolve(answer(200, { fileToken: 'token', byteCount: file.size, receivedBytes }));
  });
  return parts;
}

test('a large file goes in parts, and the part that is lost with the connection goes again', async () => {
  const parts = stubServer((call) => (call === 3 ? new TypeError('Failed to fetch') : undefined));
  const messages: string[] = [];
  const { signal } = new AbortController();
  expect(await sendInParts(file, { signal, onProgress: (message) => messages.push(message) })).toBe('token');
  expect(parts.map(({ size }) => size)).toEqual([2_097_152, 2_097_152, 805_696]);
  expect(messages).toEqual([
    'Sending, 0%',
    'Sending, 41%',
    'The connection was lost. Going on when it is back…',
    'Sending, 83%',
  ]);
});

test.each([404, 413])('where the server answers %i, the file goes in a form', async (status) => {
  stubServer(() => answer(status, { message: 'No.' }));
  const { signal } = new AbortController();
  expect(await sendInParts(file, { signal, onProgress: () => undefined })).toBeUndefined();
});

test('any other failure is one, and a mistake of ours is no lost connection', async () => {
  const { signal } = new AbortController();
  const send = () => sendInParts(file, { signal, onProgress: () => undefined });
  stubServer(() => answer(403, { message: 'It is of another driver.' }));
  await expect(send()).rejects.toThrow('It is of another driver.');
  stubServer(() => undefined);
  await expect(sendInParts(file, { signal, onProgress: makeMistake })).rejects.toThrow(
    'undefined is not a function',
  );
});

function makeMistake(): void {
  throw new TypeError('undefined is not a function');
}
