import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCarModel, insertSignedIn } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
  await insertCarModel(testApp.database.db, { make: 'Lotus', modelFamily: 'Elise', modelKey: 'lotus-elise' });
});
afterAll(() => testApp.close());

async function garageOf(headers: object) {
  return (await testApp.app.inject({ url: '/api/user-cars', headers: { ...headers } })).json();
}

const add = (payload: object, headers: object) =>
  testApp.app.inject({ method: 'POST', url: '/api/user-cars', headers: { ...headers }, payload });

test('a car of the library goes into the own garage, with or without a nickname', async () => {
  const { headers } = await insertSignedIn(testApp.database.db);
  const other = await insertSignedIn(testApp.database.db);
  const first = (await add({ modelKey: 'lotus-elise', nickname: null }, headers)).json();
  expect(first).toMatchObject({ make: 'Lotus', modelKey: 'lotus-elise', nickname: null, photoUrl: null });
  const second = (await add({ modelKey: 'lotus-elise', nickname: ' Bee ' }, headers)).json();
  expect(await garageOf(headers)).toEqual([first, { ...second, nickname: 'Bee' }]);
  expect(await garageOf(other.headers)).toEqual([]);
});

test('a car that is not in the library, or a nickname that is none, is refused', async () => {
  const { headers } = await insertSignedIn(testApp.database.db);
  const unknown = await add({ modelKey: 'no-such-car' }, headers);
  expect(unknown.statusCode).toBe(404);
  expect(unknown.json().message).toBe('There is no such car in the library.');
  for (const payload of [{}, { modelKey: '' }, { modelKey: 'lotus-elise', nickname: 'x'.repeat(61) }]) {
    expect((await add(payload, headers)).statusCode).toBe(400);
  }
  expect(await garageOf(headers)).toEqual([]);
});
