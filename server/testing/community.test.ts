import { beforeAll, expect, test } from 'vitest';
import { BUSY_TRACK, fillCommunity } from './community.ts';
import { useTestApp } from './test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

beforeAll(async () => {
  await fillCommunity(app.database.pool, { laps: 600, drivers: 20, tracks: 2, carModels: 10 });
});

test('laps without files are answered like laps whose files are lost', async () => {
  const [first] = (await guest.get(`/api/laps/track/${BUSY_TRACK}/best?limit=1`)).json();
  const url = `/api/tracks/${BUSY_TRACK}/laps/${first.lapId}`;
  const lap = await guest.get(url);
  expect(lap.statusCode).toBe(200);
  expect(lap.json()).toMatchObject({
    lapId: first.lapId,
    driverId: first.driverId,
    carMake: first.carMake,
    uncertaintyParts: null,
    place: { rank: 1 },
  });
  const trace = await guest.get(`${url}/trace`);
  expect(trace.statusCode).toBe(404);
  expect(trace.json().message).toBe('The positions of this lap are not there any more.');
});
