import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { errorBodySchema } from '#contract/errors.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();
let document: Record<string, unknown>;

beforeAll(async () => {
  document = z.record(z.string(), z.unknown()).parse((await guest.get('/api/openapi.json')).json());
});

test('the OpenAPI document is one', async () => {
  const result = await new Validator().validate(document);
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

test('every example of the document fits its schema', () => {
  // `fromJSONSchema` makes expressions without the flag for Unicode, which the patterns need.
  const withoutPatterns: unknown = JSON.parse(
    JSON.stringify(document, (key, value: unknown) => (key === 'pattern' ? undefined : value)),
  );
  const schemas = listSchemasWithExamples(withoutPatterns);
  expect(schemas.length).toBeGreaterThan(100);
  for (const schema of schemas) {
    const parser = z.fromJSONSchema(schema);
    for (const example of schema.examples)
      expect(parser.parse(example), JSON.stringify(schema)).toEqual(example);
  }
});

test('the schema of an error is the one that errors are checked against', () => {
  const { components } = z
    .object({ components: z.object({ schemas: z.object({ Error: z.looseObject({}) }) }) })
    .parse(document);
  const body = { error: 'invalid_input', message: 'Check the fields.', fields: { name: 'Enter a name.' } };
  expect(z.fromJSONSchema(components.schemas.Error).parse(body)).toEqual(errorBodySchema.parse(body));
});

test('the page and all that it loads come from this server, under the policy of every page', async () => {
  const page = await guest.get('/api/docs');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|@import|url\(/);
  const loaded = [...page.body.matchAll(/<(?:script|link)[^>]*\s(?:src|href)="([^"]+)"/g)].map(
    ([, url = '']) => url,
  );
  expect(loaded).toEqual([
    '/favicon.svg',
    '/api/docs/swagger-ui.css',
    '/api/docs/swagger-ui-bundle.js',
    '/api/docs/start.js',
  ]);
  const types = await Promise.all(
    loaded.slice(1).map(async (url) => (await guest.get(url)).headers['content-type']),
  );
  expect(types).toEqual([
    'text/css; charset=utf-8',
    'application/javascript; charset=utf-8',
    'text/javascript; charset=utf-8',
  ]);
});

test('other files of the package of the viewer are not served', async () => {
  for (const path of [
    'index.html',
    'oauth2-redirect.html',
    'csp.json',
    '../package.json',
    '%2e%2e/package.json',
  ]) {
    expect((await guest.get(`/api/docs/${path}`)).statusCode, path).toBe(404);
  }
});

test('the page names the cookie that browsers get at its URL', async () => {
  expect((await guest.get('/api/docs')).body).toContain('<code>pitboard_sign_in</code>');
  const encrypted = await startTestApp({ settings: { publicUrl: 'https://laps.example.org' } });
  const { body } = await encrypted.asGuest().get('/api/docs');

  expect(body).toContain('<code>__Host-pitboard_sign_in</code>');
  const named = async (who: typeof guest) =>
    (await who.get('/api/openapi.json')).json().components.securitySchemes.signIn.name;
  expect(await named(guest)).toBe('pitboard_sign_in');
  expect(await named(encrypted.asGuest())).toBe('__Host-pitboard_sign_in');
});

type SchemaWithExamples = { examples: unknown[] } & Record<string, unknown>;

function listSchemasWithExamples(value: unknown): SchemaWithExamples[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(listSchemasWithExamples);
  const { success, data } = z.looseObject({ examples: z.array(z.unknown()) }).safeParse(value);
  return success ? [data, ...below] : below;
}
