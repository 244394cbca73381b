import { createServer, type Server } from 'node:http';
import { expect, test } from 'vitest';
import { LostConnectionError } from './api-error.ts';
import { fetchJson, pathSegments, splitCall, buildUrl } from './call-api.ts';

function answering(status: number, body: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => {
    response.writeHead(status).end(body);
  });
  return answeringWith(server, use);
}

async function answeringWith(server: Server, use: (url: string) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  try {
    if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
    await use(`http://127.0.0.1:${address.port}/api/x`);
  } finally {
    server.close();
  }
}

test('a call names its method and its path', () => {
  expect(splitCall('GET /api/tracks/:trackId')).toEqual(['GET', '/api/tracks/:trackId']);
});

test('parameters are filled into the path, encoded', () => {
  expect(pathSegments('/api/users/:idOrName/cars', { idOrName: 'A/B c' })).toEqual([
    'api',
    'users',
    'A%2FB%20c',
    'cars',
  ]);
});

test('a path without its parameter is a mistake, not a call', () => {
  expect(() => pathSegments('/api/tracks/:trackId', {})).toThrow('trackId');
});

test('a URL leaves out what is absent or empty in the query', () => {
  expect(buildUrl(['api', 'x'], { make: 'BMW', tire: '', limit: 3, offset: undefined })).toBe(
    '/api/x?make=BMW&limit=3',
  );
  expect(buildUrl(['api', 'x'])).toBe('/api/x');
});

test('a successful answer is given as it is', async () => {
  await answering(200, '{"a":1}', async (url) => {
    expect(await fetchJson(url, {})).toEqual({ a: 1 });
  });
});

test('an answer that is not successful is thrown with status and body', async () => {
  await answering(403, '{"error":"not_allowed","message":"No."}', async (url) => {
    await expect(fetchJson(url, {})).rejects.toMatchObject({
      status: 403,
      message: '403: {"error":"not_allowed","message":"No."}',
      sentence: 'No.',
    });
  });
});

test('a call without an answer, or with half of one, lost its connection; one that was stopped did not', async () => {
  await expect(fetchJson('http://127.0.0.1:9/api/x', {})).rejects.toThrow(LostConnectionError);
  const half = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"a":', () => response.destroy());
  });
  await answeringWith(half, async (url) => {
    await expect(fetchJson(url, {})).rejects.toThrow(LostConnectionError);
    await expect(fetchJson(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
