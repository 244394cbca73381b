import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { UserCar } from '#contract/garage/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { carModels } from '#server/model/cars/schema.ts';
import { insertCarModel, insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { deleteForGood } from '#server/testing/leave.ts';

const app = useTestApp();
const guest = app.asGuest();

beforeAll(async () => {
  const names = { make: 'Citroën', modelFamily: 'Saxo', variant: 'VTS', generation: 'S1' };
  await insertCarModel(app.db, { ...names, drivetrain: 'FWD', raceClass: 'Hot Hatch' });
});

const propose = (payload: object, who: Person = null) =>
  app.as(who).post('/api/user-cars/proposals', payload);

const similar = async (q: string) => {
  const response = await guest.get(`/api/car-library/similar?q=${encodeURIComponent(q)}`);
  return response.json<{ modelDisplay: string }[]>().map(({ modelDisplay }) => modelDisplay);
};

const JEM = { make: ' Jem ', modelFamily: 'Bruja', variant: '1.6 16V', generation: null };

test('a proposed car is in the garage at once, marked, and others find and use it', async () => {
  const driver = await insertSignedIn(app.db);
  const details = { years: '1994-present', drivetrain: 'FWD', raceClass: 'Hot Hatch' };
  const response = await propose({ ...JEM, ...details }, driver);
  expect(response.statusCode).toBe(200);
  const car = response.json();
  expect(car).toMatchObject({
    make: 'Jem',
    modelDisplay: 'Jem Bruja 1.6 16V (1994-present)',
    generation: '1994-present',
    modelKey: 'jem-bruja-1994-present-1-6-16v',
    status: 'community_submitted',
  });
  const own = await app.as(driver).get('/api/user-cars');
  expect(own.json()).toEqual([car]);

  const others = await insertSignedIn(app.db);
  const found = await guest.get('/api/car-library/search?q=bruja+jem');
  expect(found.json()).toMatchObject([{ modelKey: car.modelKey, status: 'community_submitted', ...details }]);
  const added = await app.as(others).post('/api/user-cars', { modelKey: car.modelKey });
  expect(added.statusCode).toBe(200);

  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.action, 'propose-car'));
  expect(entry).toMatchObject({ userId: driver.userId, changes: { car: [null, car.modelDisplay] } });
});

test('a car that the library has is refused, however it is written', async () => {
  const driver = await insertSignedIn(app.db);
  const names = { make: 'CITROEN', modelFamily: 'saxo', generation: 's1' };
  for (const variant of ['VTS', 'vts.', 'v-t-s']) {
    const response = await propose({ ...names, variant }, driver);
    expect(response.statusCode).toBe(409);
    expect(response.json().message).toBe('The library has this car already: Citroën Saxo VTS (S1).');
  }
  expect((await propose({ ...names, variant: 'VTR' }, driver)).statusCode).toBe(200);
  // Two drivers who propose the same car at once: one of them gets it.
  const others = await insertSignedIn(app.db);
  const twice = { ...names, variant: 'VTS Cup' };
  const answers = await Promise.all([propose(twice, driver), propose(twice, others)]);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
});

test('cars with nearly the same names are found, with a slip of a letter or without the accents', async () => {
  await insertCarModel(app.db, { make: 'Zagato', modelFamily: 'Quercia', variant: 'Corsa', modelKey: 'zq' });
  expect(await similar('zagatto quercia')).toEqual(['Zagato Quercia Corsa (NB)']);
  expect(await similar('Quercia Corsa GT')).toEqual(['Zagato Quercia Corsa (NB)']);
  expect(await similar('citroen saxo')).toContain('Citroën Saxo VTS (S1)');
  expect(await similar('%_ 100%')).toEqual([]);
});

const numbered = (number: number) => ({ ...JEM, variant: `Works ${number}` });

test('a driver proposes so many cars a day, and may go on the next day', async () => {
  const driver = await insertSignedIn(app.db);
  for (let number = 1; number <= LIMITS.carProposalsPerDayMax; number += 1)
    expect((await propose(numbered(number), driver)).statusCode).toBe(200);
  const refused = await propose(numbered(99), driver);
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({
    error: 'too_many_requests',
    message: `You can propose ${LIMITS.carProposalsPerDayMax} cars a day. Please try again tomorrow.`,
  });
  const others = await insertSignedIn(app.db);
  expect((await propose(numbered(98), others)).statusCode).toBe(200);
  const yesterday = { proposedAt: new Date(Date.now() - 25 * 3_600_000) };
  await app.db.update(carModels).set(yesterday).where(eq(carModels.proposedBy, driver.userId));
  expect((await propose(numbered(99), driver)).statusCode).toBe(200);
});

test('a guest gets 401, and what is wrong with a field is said of that field', async () => {
  expect((await propose(JEM)).statusCode).toBe(401);
  const driver = await insertSignedIn(app.db);
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
    const response = await propose({ ...JEM, variant: 'Bad', [field]: value }, driver);
    expect(response.statusCode, `${field}: ${String(value)}`).toBe(400);
    expect(Object.keys(response.json().fields)).toEqual([field]);
  }
  for (const q of ['', 'x', 'x'.repeat(LIMITS.similarCarsQueryCharactersMax + 1)]) {
    const response = await guest.get(`/api/car-library/similar?q=${encodeURIComponent(q)}`);
    expect(response.statusCode).toBe(400);
  }
});

test('a proposal that only its driver uses goes with the account; one that others use, or that was approved, stays', async () => {
  const driver = await insertSignedIn(app.db);
  const proposals = ['Alone', 'Shared', 'Approved'].map((variant) => ({ ...JEM, variant }));
  const cars: UserCar[] = [];
  for (const proposal of proposals) cars.push((await propose(proposal, driver)).json());
  const keyOf = (index: number) => cars[index]?.modelKey ?? '';
  const other = await insertSignedIn(app.db);
  const added = (await app.as(other).post('/api/user-cars', { modelKey: keyOf(1) })).json();
  const trackId = await insertTrack(app.db);
  const laps = [{ lapTimeMs: 60_000 }];
  await insertSession(app.db, { trackId, userId: other.userId, userCarId: added.id, laps });
  await insertSession(app.db, {
    trackId,
    userId: driver.userId,
    userCarId: cars[0]?.id,
    laps: [{ lapTimeMs: 59_000 }],
  });
  await app.db
    .update(carModels)
    .set({ status: 'official' })
    .where(eq(carModels.modelKey, keyOf(2)));

  await deleteForGood(app, driver);
  const left = await app.db
    .select({ key: carModels.modelKey, proposedBy: carModels.proposedBy })
    .from(carModels);
  const keys = left.map(({ key }) => key);
  expect(keys).not.toContain(keyOf(0));
  expect(left).toContainEqual({ key: keyOf(1), proposedBy: null });
  expect(left).toContainEqual({ key: keyOf(2), proposedBy: null });
  const board = await guest.get(`/api/laps/track/${trackId}/best`);
  expect(board.json()).toMatchObject([{ carVariant: 'Shared', lapTimeMs: 60_000 }]);
});
