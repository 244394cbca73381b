import { beforeAll, expect, test } from 'vitest';
import type { CarModel } from '#contract/cars/schemas.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

beforeAll(async () => {
  await loadLibraries(app.db);
});

const get = (path: string, query: Record<string, string> = {}) =>
  app.asGuest().get(`/api/car-library/${path}?${new URLSearchParams(query).toString()}`);
const listed = async (path: string, query: Record<string, string> = {}) =>
  (await get(path, query)).json<string[]>();

test('every car of the library can be chosen step by step through its four names', async () => {
  const makes = await listed('makes');
  expect(makes).toEqual([...new Set(makes)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })));
  const make = 'Porsche';
  const modelFamily = '944';
  expect(await listed('model-families', { make })).toContain(modelFamily);
  expect(await listed('variants', { make, modelFamily })).toEqual(['Base', 'S2', 'Turbo']);
  // A car that had one generation only is chosen by its years.
  expect(await listed('generations', { make, modelFamily, variant: 'Base' })).toEqual(['1982-1989']);
  const match = await get('exact-match', { make, modelFamily, variant: 'Base', generation: '1982-1989' });
  expect(match.json()).toMatchObject({ modelKey: 'porsche-944', modelDisplay: 'Porsche 944' });
});

test('no car of the library hides behind another one with the same names', async () => {
  const { rows } = await app.database.pool.query(
    'SELECT make, model_family, variant, generation FROM car_models GROUP BY 1, 2, 3, 4 HAVING count(*) > 1',
  );
  expect(rows).toEqual([]);
});

test('names that fit no car are not found, and the error lists each missing name', async () => {
  const wrong = await get('exact-match', {
    make: 'Porsche',
    modelFamily: '944',
    variant: 'Base',
    generation: 'none',
  });
  expect(wrong.statusCode).toBe(404);
  const missing = await get('exact-match', { make: 'Porsche' });
  expect(missing.statusCode).toBe(400);
  expect(Object.keys(missing.json().fields)).toEqual(['modelFamily', 'variant', 'generation']);
  expect(await listed('model-families', { make: 'No Such Make' })).toEqual([]);
});

test('classes and drivetrains are those that occur', async () => {
  expect(await listed('drivetrains')).toEqual(['AWD', 'FWD', 'RWD']);
  expect(await listed('race-classes')).toContain('Roadster');
});

const find = async (q: string) =>
  (await get('search', { q })).json<CarModel[]>().map(({ modelKey }) => modelKey);

test('a search finds cars by every word of it, however it is written', async () => {
  expect(await find('mx-5 na')).toContain('mazda-mx-5-na-1-6');
  expect(await find('MX5 na')).toContain('mazda-mx-5-na-1-6');
  expect(await find('citroen saxo')).toEqual(await find('Citroën  SAXO'));
  expect(await find('mx-5 porsche')).toEqual([]);
  expect(await find('po')).toHaveLength(20);
  expect((await get('search', { q: ' p ' })).statusCode).toBe(400);
});

test.each([
  ['rotax', 'any-kart-rotax-max-senior'],
  ['kosmic x30', 'kosmic-iame-x30-senior'],
  ['r6', 'yamaha-yzf-r6-rj15'],
  ['caterham 420', 'caterham-seven-420'],
  ['formula ford', 'formula-ford-ff1600-kent'],
  ['sr10', 'radical-sr10'],
  ['ioniq 6', 'hyundai-ioniq-6-n'],
])('a search for %s finds the kart, motorcycle, single seater or electric car', async (q, modelKey) => {
  expect(await find(q)).toContain(modelKey);
});

test('a word of its own comes before a part of another word', async () => {
  const keys = await find('r6');
  expect(keys.slice(0, 6).every((key) => key.startsWith('yamaha-yzf-r6'))).toBe(true);
  expect(keys).toContain('suzuki-gsx-r600-k1');
});

test('signs that mean something to the database are taken as they are', async () => {
  for (const q of ['%%', '__', "o'", '\\\\']) expect((await get('search', { q })).json()).toEqual([]);
  // Nothing is left of accents alone.
  for (const path of ['search', 'similar'])
    expect((await get(path, { q: '\u0301\u0301' })).json()).toEqual([]);
});
