import { expect, test } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS } from '#contract/api.ts';
import { ERROR_STATUS, errorBodySchema } from '#contract/errors.ts';
import { insertSignedIn } from './builders.ts';
import { useTestApp } from './test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

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
  expect(app.fastify.hasRoute({ method: endpoint.method, url: endpoint.path })).toBe(true);
});

test.each(calls.filter(({ endpoint }) => endpoint.access !== 'public'))(
  '$name is refused to a guest',
  async ({ endpoint }) => {
    const response = await guest.send(endpoint.method, pathOf(endpoint.path));
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ message: 'Please sign in first.' });
  },
);

test.each(calls.filter(({ endpoint }) => endpoint.method !== 'GET'))(
  '$name is refused to another site',
  async ({ endpoint }) => {
    const driver = await insertSignedIn(app.db);
    for (const sign of [{ origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const response = await app.as(driver).send(endpoint.method, pathOf(endpoint.path), undefined, sign);
      expect(response.statusCode).toBe(403);
    }
  },
);

test.each(calls.filter(({ endpoint }) => endpoint.body))(
  '$name refuses a body that is not what it asks for',
  async ({ endpoint }) => {
    const owner = await insertSignedIn(app.db, { role: 'owner' });
    const send = (body: object | string, type = 'application/json') =>
      app.as(owner).send(endpoint.method, pathOf(endpoint.path), body, { 'content-type': type });
    const wrong = Object.fromEntries(
      Object.keys(endpoint.body?.shape ?? {}).map((name) => [name, { no: 'such' }]),
    );
    const response = await send(wrong);
    expect(response.statusCode).toBe(400);
    const fields = Object.keys(errorBodySchema.parse(response.json()).fields ?? {});
    // A problem within a field is named by its path.
    expect([...new Set(fields.map((field) => field.split('.')[0]))]).toEqual(Object.keys(wrong));

    expect((await send('{"half":')).statusCode).toBe(400);
    expect((await send('<a/>', 'application/xml')).statusCode).toBe(415);
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
    .parse((await guest.get('/api/openapi.json')).json());
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
