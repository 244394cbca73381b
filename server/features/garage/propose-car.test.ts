import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserCar } from '#contract/garage.ts';
import { LIMITS } from '#contract/limits.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { carModels } from '#server/model/cars/schema.ts';
import { insertCarModel, insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
  const names = { make: 'Citroën', modelFamily: 'Saxo', variant: 'VTS', generation: 'S1' };
  await insertCarModel(db(), { ...names, drivetrain: 'FWD', raceClass: 'Hot Hatch' });
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;

const propose = (payload: object, headers: object = {}) =>
  testApp.app.inject({ method: 'POST', url: '/api/user-cars/proposals', headers: { ...headers }, payload });

const similar = async (q: string) => {
  const response = await testApp.app.inject({ url: '/api/car-library/similar', query: { q } });
  return response.json<{ modelDisplay: string }[]>().map(({ modelDisplay }) => modelDisplay);
};

const JEM = { make: ' Jem ', modelFamily: 'Bruja', variant: '1.6 16V', generation: null };

test('a proposed car is in the garage at once, marked, and others find and use it', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const details = { years: '1994-present', drivetrain: 'FWD', raceClass: 'Hot Hatch' };
  const response = await propose({ ...JEM, ...details }, headers);
  expect(response.statusCode).toBe(200);
  const car = response.json();
  expect(car).toMatchObject({
    make: 'Jem',
    modelDisplay: 'Jem Bruja 1.6 16V (1994-present)',
    generation: '1994-present',
    modelKey: 'jem-bruja-1994-present-1-6-16v',
    status: 'community_submitted',
  });
  const own = await testApp.app.inject({ url: '/api/user-cars', headers: { ...headers } });
  expect(own.json()).toEqual([car]);

  const { headers: others } = await insertSignedIn(db());
  const found = await testApp.app.inject({ url: '/api/car-library/search', query: { q: 'bruja jem' } });
  expect(found.json()).toMatchObject([{ modelKey: car.modelKey, status: 'community_submitted', ...details }]);
  const add = { method: 'POST', url: '/api/user-cars', headers: { ...others } } as const;
  expect((await testApp.app.inject({ ...add, payload: { modelKey: car.modelKey } })).statusCode).toBe(200);

  const [entry] = await db().select().from(auditLog).where(eq(auditLog.action, 'propose-car'));
  expect(entry).toMatchObject({ userId, changes: { car: [null, car.modelDisplay] } });
});

test('a car that the library has is refused, however it is written', async () => {
  const { headers } = await insertSignedIn(db());
  const names = { make: 'CITROEN', modelFamily: 'saxo', generation: 's1' };
  for (const variant of ['VTS', 'vts.', 'v-t-s']) {
    const response = await propose({ ...names, variant }, headers);
    expect(response.statusCode).toBe(409);
    expect(response.json().message).toBe('The library has this car already: Citroën Saxo VTS (S1).');
  }
  expect((await propose({ ...names, variant: 'VTR' }, headers)).statusCode).toBe(200);
  // Two drivers who propose the same car at once: one of them gets it.
  const { headers: others } = await insertSignedIn(db());
  const twice = { ...names, variant: 'VTS Cup' };
  const answers = await Promise.all([propose(twice, headers), propose(twice, others)]);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
});

test('cars with nearly the same names are found, with a slip of a letter or without the accents', async () => {
  await insertCarModel(db(), { make: 'Zagato', modelFamily: 'Quercia', variant: 'Corsa', modelKey: 'zq' });
  expect(await similar('zagatto quercia')).toEqual(['Zagato Quercia Corsa (NB)']);
  expect(await similar('Quercia Corsa GT')).toEqual(['Zagato Quercia Corsa (NB)']);
  expect(await similar('citroen saxo')).toContain('Citroën Saxo VTS (S1)');
  expect(await similar('%_ 100%')).toEqual([]);
});

const numbered = (number: number) => ({ ...JEM, variant: `Works ${number}` });

test('a driver proposes so many cars a day, and may go on the next day', async () => {
  const { userId, headers } = await insertSignedIn(db());
  for (let number = 1; number <= LIMITS.carProposalsPerDayMax; number += 1)
    expect((await propose(numbered(number), headers)).statusCode).toBe(200);
  const refused = await propose(numbered(99), headers);
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({
    error: 'too_many_requests',
    message: `You can propose ${LIMITS.carProposalsPerDayMax} cars a day. Please try again tomorrow.`,
  });
  const { headers: others } = await insertSignedIn(db());
  expect((await propose(numbered(98), others)).statusCode).toBe(200);
  const yesterday = { proposedAt: new Date(Date.now() - 25 * 3_600_000) };
  await db().update(carModels).set(yesterday).where(eq(carModels.proposedBy, userId));
  expect((await propose(numbered(99), headers)).statusCode).toBe(200);
});

test('a guest gets 401, and what is wrong with a field is said of that field', async () => {
  expect((await propose(JEM)).statusCode).toBe(401);
  const { headers } = await insertSignedIn(db());
  const long = 'x'.repeat(LIMITS.proposedNameCharactersMax + 1);
  const bad: [field: string, value: unknown][] = [
    ['make', ''],
    ['make', '  '],
    ['make', undefined],
    ['make', 7],
    ['make', long],
    ['make', '---'],
    ['modelFamily', 'a\u0000b'],
    ['modelFamily', 'a\nb'],
    ['variant', 'a\uD800b'],
    ['variant', null],
    ['generation', ''],
    ['years', '98'],
    ['years', '2005-1998'],
    ['years', '1700-1998'],
    ['years', '1998-present; DROP'],
    ['drivetrain', '6WD'],
    ['raceClass', 'The Best'],
  ];
  for (const [field, value] of bad) {
    const response = await propose({ ...JEM, variant: 'Bad', [field]: value }, headers);
    expect(response.statusCode, `${field}: ${String(value)}`).toBe(400);
    expect(Object.keys(response.json().fields)).toEqual([field]);
  }
  for (const q of ['', 'x', 'x'.repeat(LIMITS.similarCarsQueryCharactersMax + 1)]) {
    const response = await testApp.app.inject({ url: '/api/car-library/similar', query: { q } });
    expect(response.statusCode).toBe(400);
  }
});

test('a proposal that only its driver uses goes with the account; one that others use, or that was approved, stays', async () => {
  const { userId, headers } = await insertSignedIn(db());
  const proposals = ['Alone', 'Shared', 'Approved'].map((variant) => ({ ...JEM, variant }));
  const cars: UserCar[] = [];
  for (const proposal of proposals) cars.push((await propose(proposal, headers)).json());
  const keyOf = (index: number) => cars[index]?.modelKey ?? '';
  const other = await insertSignedIn(db());
  const add = { method: 'POST', url: '/api/user-cars', headers: other.headers } as const;
  const added = (await testApp.app.inject({ ...add, payload: { modelKey: keyOf(1) } })).json();
  const trackId = await insertTrack(db());
  const laps = [{ lapTimeMs: 60_000 }];
  await insertSession(db(), { trackId, userId: other.userId, userCarId: added.id, laps });
  await insertSession(db(), { trackId, userId, userCarId: cars[0]?.id, laps: [{ lapTimeMs: 59_000 }] });
  await db()
    .update(carModels)
    .set({ status: 'official' })
    .where(eq(carModels.modelKey, keyOf(2)));

  const removal = { method: 'DELETE', url: '/api/account', headers } as const;
  expect((await testApp.app.inject(removal)).statusCode).toBe(200);
  const left = await db()
    .select({ key: carModels.modelKey, proposedBy: carModels.proposedBy })
    .from(carModels);
  const keys = left.map(({ key }) => key);
  expect(keys).not.toContain(keyOf(0));
  expect(left).toContainEqual({ key: keyOf(1), proposedBy: null });
  expect(left).toContainEqual({ key: keyOf(2), proposedBy: null });
  const board = await testApp.app.inject({ url: `/api/laps/track/${trackId}/best` });
  expect(board.json()).toMatchObject([{ carVariant: 'Shared', lapTimeMs: 60_000 }]);
});
