import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS } from '#contract/api.ts';
import { errorBodySchema } from '#contract/errors.ts';
import { jsonSchema, openApiPath, operationId, possibleErrors } from './openapi.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { html, withCode } from './html.ts';
import { parseJsonSchema } from './json-schema.ts';
import { makeExample } from './schema-example.ts';
import { listFields } from './schema-fields.ts';

const app = useTestApp();
const guest = app.asGuest();
let page: string;

beforeAll(async () => {
  page = (await guest.get('/api/docs')).body;
});

const calls = ENDPOINTS.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }));
const schemas = calls.flatMap(({ name, endpoint: { body, response } }) => [
  ...(body ? [{ name: `what ${name} takes`, schema: body, io: 'input' as const }] : []),
  ...(typeof response === 'string'
    ? []
    : [{ name: `what ${name} answers`, schema: response, io: 'output' as const }]),
]);

test('the OpenAPI document is one', async () => {
  const document: unknown = (await guest.get('/api/openapi.json')).json();
  const result = await new Validator().validate(z.record(z.string(), z.unknown()).parse(document));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

test('the page is HTML that needs nothing from elsewhere and no script, under the policy of every page', async () => {
  const response = await guest.get('/api/docs');
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(response.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page).not.toMatch(/<script|\ssrc=|\son\w+=|@import|url\(/);
  expect([...page.matchAll(/href="([^"#][^"]*)"/g)].map(([, to]) => to)).toEqual([
    'data:,', // no icon, so that none is asked for
    '/',
    '/api/openapi.json',
  ]);
});

test('every link within the page leads to one place of it', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(calls)('$name has its place, its sentence and its errors on the page', ({ endpoint }) => {
  const [, place = ''] = page.split(`<h3 id="${operationId(endpoint)}">`);
  const [text = ''] = place.split('</article>');
  expect(text).toContain(openApiPath(endpoint));
  expect(text).toContain(withCode(endpoint.summary).html);
  for (const { code, meaning } of possibleErrors(endpoint)) {
    expect(text).toContain(code);
    expect(text).toContain(withCode(meaning).html);
  }
  const fields = [endpoint.params, endpoint.query, endpoint.body, endpoint.multipart?.fields];
  for (const name of fields.flatMap((schema) => Object.keys(schema?.shape ?? {}))) {
    expect(text).toContain(`<code>${name}</code>`);
  }
});

test.each(schemas)('the example of $name fits', ({ schema, io }) => {
  const example = makeExample(parseJsonSchema(jsonSchema(schema, io)));
  expect(schema.parse(example)).toEqual(example);
});

test('the example of an error fits', () => {
  const example = makeExample(parseJsonSchema(jsonSchema(errorBodySchema, 'output')));
  expect(errorBodySchema.parse(example)).toEqual(example);
});

test('fields within fields are listed with their way, their type and whether they may be missing', () => {
  const schema = z.object({
    lines: z.array(z.object({ a: z.number().min(0).nullable() })).meta({ description: 'All lines.' }),
    byCar: z.record(z.string(), z.object({ best: z.int() })).optional(),
    kind: z.enum(['one', 'two']),
  });
  expect(listFields(parseJsonSchema(jsonSchema(schema, 'output')))).toEqual([
    { name: 'lines', type: 'list, each object', isRequired: true, description: 'All lines.' },
    { name: 'lines[].a', type: 'number (from 0), or null', isRequired: true, description: null },
    { name: 'byCar', type: 'object by key, each object', isRequired: false, description: null },
    { name: 'byCar{}.best', type: 'whole number', isRequired: true, description: null },
    { name: 'kind', type: '"one", "two"', isRequired: true, description: null },
  ]);
});

test('what is put into HTML is text, whatever it holds', () => {
  expect(html`<p title="${'"'}">${['<b>', html`<i>${'&'}</i>`, 3, null, false]}</p>`.html).toBe(
    '<p title="&quot;">&lt;b&gt;<i>&amp;</i>3</p>',
  );
});
