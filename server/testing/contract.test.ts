import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS } from '#contract/api.ts';
import { ERROR_STATUS, errorBodySchema } from '#contract/errors.ts';
import { insertSignedIn } from './builders.ts';
import { startTestApp, type TestApp } from './test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const calls = ENDPOINTS.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }));
/** A path that fits: no id in it exists. */
const pathOf = (path: string) => path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000');

test('no two endpoints have the same method and path', () => {
  expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length);
});

test.each(calls)('$name names each parameter of its path in its schema, and no other', ({ endpoint }) => {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  expect(Object.keys(endpoint.params?.shape ?? {})).toEqual(names);
});

test.each(calls)('$name is served', ({ endpoint }) => {
  expect(testApp.app.hasRoute({ method: endpoint.method, url: endpoint.path })).toBe(true);
});

test.each(calls.filter(({ endpoint }) => endpoint.access !== 'public'))(
  '$name is refused to a guest',
  async ({ endpoint }) => {
    const response = await testApp.app.inject({ method: endpoint.method, url: pathOf(endpoint.path) });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ message: 'Please sign in first.' });
  },
);

test.each(calls.filter(({ endpoint }) => endpoint.method !== 'GET'))(
  '$name is refused to another site',
  async ({ endpoint }) => {
    const { headers } = await insertSignedIn(testApp.database.db);
    for (const sign of [{ origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const response = await testApp.app.inject({
        method: endpoint.method,
        url: pathOf(endpoint.path),
        headers: { ...headers, ...sign },
      });
      expect(response.statusCode).toBe(403);
    }
  },
);

test.each(calls.filter(({ endpoint }) => endpoint.body))(
  '$name refuses a body that is not what it asks for',
  async ({ endpoint }) => {
    const { headers } = await insertSignedIn(testApp.database.db, { isAdmin: true });
    const call = { method: endpoint.method, url: pathOf(endpoint.path) };
    const wrong = Object.fromEntries(
      Object.keys(endpoint.body?.shape ?? {}).map((name) => [name, { no: 'such' }]),
    );
    const response = await testApp.app.inject({ ...call, headers, payload: wrong });
    expect(response.statusCode).toBe(400);
    const fields = Object.keys(errorBodySchema.parse(response.json()).fields ?? {});
    // A problem within a field is named by its path.
    expect([...new Set(fields.map((field) => field.split('.')[0]))]).toEqual(Object.keys(wrong));

    const json = { ...headers, 'content-type': 'application/json' };
    expect((await testApp.app.inject({ ...call, headers: json, payload: '{"half":' })).statusCode).toBe(400);
    const xml = { ...headers, 'content-type': 'application/xml' };
    expect((await testApp.app.inject({ ...call, headers: xml, payload: '<a/>' })).statusCode).toBe(415);
  },
);

test('the OpenAPI document lists every endpoint, and every status that an error can have', async () => {
  const document = z
    .object({
      openapi: z.literal('3.1.0'),
      paths: z.record(
        z.string(),
        z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })),
      ),
    })
    .parse((await testApp.app.inject('/api/openapi.json')).json());
  for (const { method, path } of ENDPOINTS) {
    const listed = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(listed, `${method} ${path}`).toBeDefined();
    const statuses = Object.keys(listed?.responses ?? {})
      .map(Number)
      .filter((status) => status >= 400);
    const possible: number[] = Object.values(ERROR_STATUS);
    expect(statuses.every((status) => possible.includes(status))).toBe(true);
  }
});
