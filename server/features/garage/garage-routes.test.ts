import { beforeAll, expect, test } from 'vitest';
import { insertCarModel, insertSignedIn } from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

beforeAll(async () => {
  await insertCarModel(app.db, { make: 'Lotus', modelFamily: 'Elise', modelKey: 'lotus-elise' });
});

async function garageOf(who: Person) {
  return (await app.as(who).get('/api/user-cars')).json();
}

const add = (payload: object, who: Person) => app.as(who).post('/api/user-cars', payload);

test('a car of the library goes into the own garage, with or without a nickname', async () => {
  const driver = await insertSignedIn(app.db);
  const other = await insertSignedIn(app.db);
  const first = (await add({ modelKey: 'lotus-elise', nickname: null }, driver)).json();
  expect(first).toMatchObject({ make: 'Lotus', modelKey: 'lotus-elise', nickname: null, photoUrl: null });
  const second = (await add({ modelKey: 'lotus-elise', nickname: ' Bee ' }, driver)).json();
  expect(await garageOf(driver)).toEqual([first, { ...second, nickname: 'Bee' }]);
  expect(await garageOf(other)).toEqual([]);
});

test('a car that is not in the library, or a wrong nickname, is refused', async () => {
  const driver = await insertSignedIn(app.db);
  const unknown = await add({ modelKey: 'no-such-car' }, driver);
  expect(unknown.statusCode).toBe(404);
  expect(unknown.json().message).toBe('There is no such car in the library.');
  for (const payload of [{}, { modelKey: '' }, { modelKey: 'lotus-elise', nickname: 'x'.repeat(61) }]) {
    expect((await add(payload, driver)).statusCode).toBe(400);
  }
  expect(await garageOf(driver)).toEqual([]);
});
