import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { LapId, SessionId, TrackId, UserCarId, UserId } from '#contract/ids.ts';
import type { Notice } from '#contract/notices/schemas.ts';
import { deleteAccount } from '#server/model/people/delete-people.ts';
import { approveCar } from '#server/features/library/review-proposed-cars.ts';
import { correctTrack } from '#server/features/library/correct-track.ts';
import { decideLap } from '#server/model/flags/decide-lap.ts';
import { events } from '#server/model/events/schema.ts';
import { lapFlags } from '#server/model/flags/schema.ts';
import { laps } from '#server/model/laps/schema.ts';
import { trackProposals } from '#server/model/tracks/schema.ts';
import { findSessionFile, deleteSessionRows } from '#server/model/laps/session-store.ts';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  insertUserCar,
  newLapId,
  type SignedIn,
} from '#server/testing/builders.ts';
import { startTestApp, useTestApp } from '#server/testing/test-app.ts';
import { deleteOldNotices } from '#server/model/notices/notice-store.ts';

const app = useTestApp();

const drive = (trackId: TrackId, userId: UserId, lapTimeMs: number, userCarId?: UserCarId) =>
  insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs }], ...(userCarId && { userCarId }) });

async function lapIdOf(sessionId: SessionId): Promise<LapId | undefined> {
  const [lap] = await app.db.select().from(laps).where(eq(laps.sessionId, sessionId));
  return lap?.id;
}

async function listOf(who: SignedIn): Promise<{ notices: Notice[]; unread: number }> {
  await app.runJobs();
  return (await app.as(who).get('/api/notices')).json();
}

const byText = (a: Notice, b: Notice): number => a.text.localeCompare(b.text);

test('a driver who is overtaken, and one who loses the record, get a notice that leads to the comparison, once', async () => {
  const trackId = await insertTrack(app.db, { name: 'Aldertown' });
  const [ana, bo] = [await insertSignedIn(app.db), await insertSignedIn(app.db)];
  const cy = await insertUser(app.db, { displayName: 'Cy' });
  const anaLap = await lapIdOf(await drive(trackId, ana.userId, 60_000));
  const boLap = await lapIdOf(await drive(trackId, bo.userId, 61_000));
  const cyLap = await lapIdOf(await drive(trackId, cy, 60_790));
  const { notices, unread } = await listOf(bo);
  expect(unread).toBe(1);
  expect(notices).toEqual([
    {
      id: expect.any(Number),
      kind: 'rank_lost',
      createdAt: expect.stringMatching(/Z$/),
      isRead: false,
      text: 'Cy passed you at Aldertown by 0.21 s: you went from P2 to P3.',
      link: `/track/${trackId}?lap=${cyLap}&vs=${boLap}`,
    },
  ]);
  expect((await listOf(ana)).notices).toEqual([]);

  const fastest = await lapIdOf(await drive(trackId, cy, 59_996));
  expect((await listOf(ana)).notices).toMatchObject([
    {
      kind: 'record_lost',
      text: 'Cy took the record at Aldertown from you by 0.004 s.',
      link: `/track/${trackId}?lap=${fastest}&vs=${anaLap}`,
    },
  ]);

  // A server that was killed before it marked its events delivers them again.
  await app.db.update(events).set({ deliveredAt: null }).where(eq(events.trackId, trackId));
  await startTestApp({ database: app.database });
  await drive(trackId, cy, 70_000);
  await drive(trackId, await insertUser(app.db), 80_000);

  expect((await listOf(ana)).notices).toHaveLength(1);
  expect((await listOf(bo)).notices).toHaveLength(1);
});

test('everybody whom one lap passes reads their own places before and after it', async () => {
  const trackId = await insertTrack(app.db, { name: 'Elmtown' });
  const [ana, bo, cy] = [
    await insertSignedIn(app.db),
    await insertSignedIn(app.db),
    await insertSignedIn(app.db),
  ];
  for (const [index, { userId }] of [ana, bo, cy].entries())
    await drive(trackId, userId, 60_000 + 1_000 * index);
  await drive(trackId, await insertUser(app.db, { displayName: 'Di' }), 59_000);
  const texts = [ana, bo, cy].map(async (who) => (await listOf(who)).notices.map(({ text }) => text));
  expect(await Promise.all(texts)).toEqual([
    ['Di took the record at Elmtown from you by 1.00 s.'],
    ['Di passed you at Elmtown by 2.00 s: you went from P2 to P3.'],
    ['Di passed you at Elmtown by 3.00 s: you went from P3 to P4.'],
  ]);
});

test('a first lap in the same car model is a new rival, for drivers of that model only', async () => {
  const trackId = await insertTrack(app.db, { name: 'Birchtown' });
  const carModelId = await insertCarModel(app.db, { modelDisplay: 'Mazda MX-5' });
  const [ana, bo] = [await insertSignedIn(app.db), await insertSignedIn(app.db)];
  const cy = await insertUser(app.db, { displayName: 'Cy' });
  const car = (userId: UserId) => insertUserCar(app.db, { userId, carModelId });
  const anaLap = await lapIdOf(await drive(trackId, ana.userId, 60_000, await car(ana.userId)));
  await drive(trackId, bo.userId, 60_100, await insertUserCar(app.db, { userId: bo.userId }));
  const cyCar = await car(cy);
  const cyLap = await lapIdOf(await drive(trackId, cy, 61_500, cyCar));
  await drive(trackId, cy, 61_000, cyCar);
  expect((await listOf(ana)).notices).toMatchObject([
    {
      kind: 'new_rival',
      text: 'Cy joined the board of Birchtown in your car, the Mazda MX-5: 1.50 s behind you.',
      link: `/track/${trackId}?lap=${anaLap}&vs=${cyLap}`,
    },
  ]);
  expect((await listOf(bo)).notices).toEqual([]);
});

test('decisions on a lap and approved proposals are notices to whom they concern', async () => {
  const trackId = await insertTrack(app.db, { name: 'Cedartown', status: 'community_submitted' });
  const [ana, moderator] = [await insertSignedIn(app.db), await insertSignedIn(app.db, { isAdmin: true })];
  const bo = await insertUser(app.db);
  const lapId = (await lapIdOf(await drive(trackId, ana.userId, 60_000))) ?? newLapId();
  await app.db
    .insert(lapFlags)
    .values({ trackId, lapId, userId: bo, driverId: ana.userId, reason: 'time', sentence: 'So fast.' });
  const decision = { verdict: 'reject', reason: 'The line was cut.' } as const;
  await decideLap(app.db, moderator.userId, { trackId, lapId }, decision);
  await app.db.insert(trackProposals).values({ trackId, userId: ana.userId });
  await correctTrack(app.db, { id: moderator.userId, role: 'admin', isAdmin: true }, trackId, {
    status: 'official',
  });
  const carId = await insertCarModel(app.db, {
    status: 'community_submitted',
    proposedBy: ana.userId,
    modelDisplay: 'Jem Bruja',
  });
  await approveCar(app.db, moderator.userId, carId);
  const { notices } = await listOf(ana);
  expect(notices.toSorted(byText).map(({ text, link }) => [text, link])).toEqual([
    ['Your lap of 1:00.000 at Cedartown was rejected: The line was cut.', `/track/${trackId}?lap=${lapId}`],
    ['Your proposal was approved: Cedartown is official now.', `/track/${trackId}`],
    ['Your proposal was approved: Jem Bruja is official now.', '/garage/add'],
  ]);
  expect((await listOf(moderator)).notices).toEqual([]);
});

test('a notice goes with the session that made it, and leads to no lap that is hidden or to a driver who has left', async () => {
  const trackId = await insertTrack(app.db, { name: 'Dogwood' });
  const ana = await insertSignedIn(app.db);
  const [bo, cy] = [await insertUser(app.db), await insertUser(app.db, { displayName: 'Cy' })];
  await drive(trackId, ana.userId, 60_000);
  const boSession = await drive(trackId, bo, 59_000);
  const cySession = await drive(trackId, cy, 59_500);
  expect((await listOf(ana)).notices).toHaveLength(2);
  await app.db.update(laps).set({ status: 'rejected' }).where(eq(laps.sessionId, cySession));
  const own = await lapIdOf(cySession);
  expect((await listOf(ana)).notices[0]?.link).not.toContain(own);
  await app.db.update(laps).set({ status: 'valid' }).where(eq(laps.sessionId, cySession));
  const session = await findSessionFile(app.db, boSession);
  if (!session) throw new Error('There is no such session.');
  await deleteSessionRows(app.db, session);
  expect((await listOf(ana)).notices.map(({ text }) => text)).toEqual([
    'Cy passed you at Dogwood by 0.50 s: you went from P2 to P3.',
  ]);
  await deleteAccount(app.db, cy);
  expect((await listOf(ana)).notices).toEqual([]);
  await deleteAccount(app.db, ana.userId);
});

test('a kind that is not wanted makes no notices; those that were read are not counted; old ones are forgotten', async () => {
  const trackId = await insertTrack(app.db);
  const [ana, bo] = [await insertSignedIn(app.db), await insertUser(app.db)];
  expect((await app.as(ana).put('/api/notices/settings', { muted: ['record_lost'] })).json()).toEqual({
    muted: ['record_lost'],
    mutedInMail: [],
  });
  for (const wrong of [{ muted: ['weather'] }, { muted: [], mutedInMail: ['weather'] }, { mutedInMail: [] }])
    expect((await app.as(ana).put('/api/notices/settings', wrong)).statusCode).toBe(400);
  expect((await app.as(ana).get('/api/notices/settings')).json()).toEqual({
    muted: ['record_lost'],
    mutedInMail: [],
  });
  await drive(trackId, ana.userId, 60_000);
  await drive(trackId, bo, 59_000);
  expect(await listOf(ana)).toEqual({ notices: [], unread: 0 });
  await app.as(ana).put('/api/notices/settings', { muted: [] });
  await drive(trackId, ana.userId, 58_000);
  await drive(trackId, bo, 57_000);
  await drive(trackId, await insertUser(app.db), 57_500);
  const { notices, unread } = await listOf(ana);
  expect([notices.length, unread]).toEqual([2, 2]);
  const oldest = notices.at(-1)?.id ?? 0;
  expect((await app.as(ana).put('/api/notices/read', { untilId: oldest })).json()).toEqual({ unread: 1 });
  expect((await listOf(ana)).notices.map(({ isRead }) => isRead)).toEqual([false, true]);
  await deleteOldNotices(app.db, 0);
  expect((await listOf(ana)).notices).toEqual([]);
});
