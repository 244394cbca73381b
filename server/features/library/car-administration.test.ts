import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { UserCarId, UserId } from '#contract/ids.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { carModels, userCars } from '#server/model/cars/schema.ts';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
  type SignedIn,
} from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
});

const get = async (url: string) => (await app.as(admin).get(url)).json();
const post = (url: string, payload: object = {}, who: Person = admin) =>
  app.as(who).post(`/api/admin/cars/${url}`, payload);

/** A car that `userId` has proposed; gives the id of the model. */
const insertProposal = (userId: UserId, variant: string) =>
  insertCarModel(app.db, {
    make: 'Jem',
    variant,
    raceClass: null,
    status: 'community_submitted',
    proposedBy: userId,
    proposedAt: new Date(),
  });

test('proposals come first, with who proposed them, and can be listed alone', async () => {
  const driver = await insertSignedIn(app.db, { firstName: 'Ida', lastName: 'Holm' });
  await insertCarModel(app.db, { make: 'Abarth' });
  const id = await insertProposal(driver.userId, 'Listed');
  const { cars } = await get('/api/admin/cars');
  expect(cars[0]).toMatchObject({ id, status: 'community_submitted', proposedByName: 'Ida Holm' });
  expect(cars[1]).toMatchObject({ status: 'official', proposedByName: null, proposedAt: null });
  expect(await get('/api/admin/cars?status=community_submitted')).toMatchObject({ total: 1, cars: [{ id }] });
});

test('an approved car is official, once, and the audit log says who approved it', async () => {
  const id = await insertProposal(admin.userId, 'Approved');
  expect((await post(`${id}/approve`)).json()).toMatchObject({ id, status: 'official' });
  const again = await post(`${id}/approve`);
  expect([again.statusCode, again.json().message]).toEqual([409, 'This car is official already.']);
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.subject, id));
  expect(entry).toMatchObject({ userId: admin.userId, action: 'approve-car' });
});

test('a merge moves garages and laps to the other car; boards and lists by car follow', async () => {
  const driver = await insertSignedIn(app.db);
  const [proposal, official] = [await insertProposal(driver.userId, 'Wrong'), await insertCarModel(app.db)];
  const former = await insertUserCar(app.db, { userId: driver.userId, carModelId: proposal });
  const second = await insertUserCar(app.db, { userId: driver.userId, carModelId: official });
  const trackId = await insertTrack(app.db);
  const drive = (userCarId: UserCarId, lapTimeMs: number) =>
    insertSession(app.db, { trackId, userId: driver.userId, userCarId, laps: [{ lapTimeMs }] });
  await drive(former, 60_000);
  await drive(second, 61_000);
  const board = (query: string) => get(`/api/laps/track/${trackId}/best?${query}`);
  expect(await board('raceClass=Roadster')).toMatchObject([{ lapTimeMs: 61_000 }]);
  const { headers } = await guest.get(`/api/laps/track/${trackId}/best`);

  const response = await post(`${proposal}/merge`, { intoCarId: official });
  expect(response.json()).toMatchObject({ movedCars: 1, car: { id: official } });
  expect(await board('raceClass=Roadster')).toMatchObject([{ carMake: 'Mazda', lapTimeMs: 60_000 }]);
  // Nothing kept from before is answered.
  const after = await guest.get(`/api/laps/track/${trackId}/best`, { 'if-none-match': String(headers.etag) });
  expect(after.statusCode).toBe(200);
  expect(after.json()).toMatchObject([{ carMake: 'Mazda' }]);
  expect(await get(`/api/laps/user/${driver.userId}/by-car`)).toMatchObject({
    [former]: [{ lapTime: 60_000 }],
    [second]: [{ lapTime: 61_000 }],
  });
  const cars = await app.db.select().from(userCars).where(eq(userCars.userId, driver.userId));
  expect(cars.map(({ carModelId }) => carModelId)).toEqual([official, official]);
  expect(await app.db.select().from(carModels).where(eq(carModels.id, proposal))).toEqual([]);
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.subject, official));
  expect(entry).toMatchObject({
    action: 'merge-cars',
    counts: { movedCars: 1 },
    changes: { car: ['Jem MX-5 Wrong (NB)', 'Mazda MX-5 1.8 (NB)'] },
  });
});

test('while a car is merged, it is added to no garage', async () => {
  const [proposal, official] = [await insertProposal(admin.userId, 'Racing'), await insertCarModel(app.db)];
  const [model] = await app.db.select().from(carModels).where(eq(carModels.id, proposal));
  const drivers = await Promise.all([1, 2, 3, 4].map(() => insertSignedIn(app.db)));
  const payload = { modelKey: model?.modelKey };
  const answers = await Promise.all([
    ...drivers.map((driver) => app.as(driver).post('/api/user-cars', payload)),
    post(`${proposal}/merge`, { intoCarId: official }),
  ]);
  // Every call succeeds or says why it does not, in any order.
  for (const { statusCode } of answers) expect([200, 404, 409]).toContain(statusCode);
});

test('an official car, and a car that is not there, can be neither approved nor merged', async () => {
  const [official, other] = [await insertCarModel(app.db), await insertCarModel(app.db)];
  const proposal = await insertProposal(admin.userId, 'Kept');
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect((await post(`${official}/merge`, { intoCarId: other })).statusCode).toBe(409);
  expect((await post(`${unknown}/merge`, { intoCarId: other })).statusCode).toBe(404);
  expect((await post(`${proposal}/merge`, { intoCarId: unknown })).statusCode).toBe(404);
  expect((await post(`${unknown}/approve`)).statusCode).toBe(404);
  const self = await post(`${proposal}/merge`, { intoCarId: proposal });
  expect(Object.keys(self.json().fields)).toEqual(['intoCarId']);
  expect(await get('/api/admin/cars?q=kept')).toMatchObject({ total: 1 });
});

test('guests get 401, drivers 403, and bad input 400 with the field', async () => {
  const driver = await insertSignedIn(app.db);
  const id = await insertProposal(admin.userId, 'Guarded');
  for (const url of [`${id}/approve`, `${id}/merge`]) {
    expect((await post(url, { intoCarId: id }, null)).statusCode).toBe(401);
    expect((await post(url, { intoCarId: id }, driver)).statusCode).toBe(403);
  }
  const bad: [url: string, payload: object, field: string][] = [
    ['x/approve', {}, 'carId'],
    ['x/merge', { intoCarId: id }, 'carId'],
    [`${id}/merge`, {}, 'intoCarId'],
    [`${id}/merge`, { intoCarId: 'x' }, 'intoCarId'],
  ];
  for (const [url, payload, field] of bad) {
    const response = await post(url, payload);
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json().fields)).toEqual([field]);
  }
  expect(Object.keys((await get('/api/admin/cars?status=new')).fields)).toEqual(['status']);
});
