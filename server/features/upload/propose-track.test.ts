import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Analysis } from '#contract/upload/schemas.ts';
import { KART_TRACK, kartLineAcross } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import type { TestFile } from '#server/testing/form.ts';
import { driveKart, kartCsv } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

const PROPOSAL = {
  name: ' Hidden Ring ',
  location: 'Munich',
  country: 'Germany',
  startFinishLine: kartLineAcross(-12, 12),
  sectors: KART_TRACK.sectors,
};

async function propose(who: Person, given: object = {}, file: TestFile = kartCsv()) {
  const track = JSON.stringify({ ...PROPOSAL, ...given });
  return await app.as(who).postForm('/api/tracks/proposals', [
    ['track', track],
    ['file', file],
  ]);
}

function shortCsv(): TestFile {
  return { name: 'short.csv', content: writeGenericCsv(driveKart(2)) };
}

async function deleteProposals(): Promise<void> {
  await app.db.execute(
    sql`DELETE FROM tracks WHERE status = 'community_submitted' AND NOT EXISTS (SELECT FROM sessions WHERE track_id = tracks.id)`,
  );
}

test('laps of several files count together, those of a file that is there twice once', async () => {
  const driver = await insertSignedIn(app.db);
  const track = JSON.stringify({ ...PROPOSAL, name: 'Ring of Two Days' });
  const proposeAll = async (...files: TestFile[]) => {
    const parts = files.map((file): [string, TestFile] => ['file', file]);
    return await app.as(driver).postForm('/api/tracks/proposals', [['track', track], ...parts]);
  };
  const first = shortCsv();
  expect((await proposeAll(first, first)).json().message).toContain('here are 2.');
  const noLapFile = { name: 'a.csv', content: 'milk, eggs, butter' };
  expect((await proposeAll(first, noLapFile, shortCsv())).statusCode).toBe(200);
  await deleteProposals();
  await app.db.delete(auditLog);
});

test('a proposed track has a board at once: the laps of its driver rank, and others are matched to it', async () => {
  const driver = await insertSignedIn(app.db);
  const file = kartCsv();
  const response = await propose(driver, {}, file);
  expect(response.statusCode, response.body).toBe(200);
  const track = response.json<Track>();
  expect(track).toMatchObject({
    name: 'Hidden Ring',
    status: 'community_submitted',
    timeZone: 'Europe/Berlin',
  });
  expect(Math.abs((track.lengthMeters ?? 0) - (KART_TRACK.lengthMeters ?? 0))).toBeLessThan(20);
  expect(track.outline?.length).toBeGreaterThan(50);
  expect(track.sectors.map(({ name }) => name)).toEqual(['S1', 'S2']);

  const upload = await app.as(driver).uploadLaps(track.id, file);
  expect(upload.json()).toMatchObject({
    results: [{ success: true, lapCount: 3 }],
    best: { rank: 1, isRecord: true },
  });
  const board = await app.asGuest().get(`/api/laps/track/${track.id}/best`);
  expect(board.statusCode).toBe(200);
  expect(board.body).toContain(driver.userId);

  const others = await insertSignedIn(app.db);
  const analysis = await app.as(others).postForm('/api/analyze-gps', [['file', kartCsv()]]);
  expect(analysis.json<Analysis>().gpsSuggestions[0]).toMatchObject({ trackId: track.id, lapCount: 3 });

  const again = await propose(others, { name: 'Another Name' });
  expect(again.statusCode).toBe(409);
  expect(again.json().message).toBe('These laps were driven on a track that is here already: Hidden Ring.');

  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.action, 'propose-track'));
  expect(entry).toMatchObject({ userId: driver.userId, subject: track.id });
});

test('a guest gets 401', async () => {
  expect((await propose(null)).statusCode).toBe(401);
});

test('fewer than three laps that rank make no track, but for an administrator', async () => {
  const driver = await insertSignedIn(app.db);
  const refused = await propose(driver, { name: 'Short Ring' }, shortCsv());
  expect(refused.statusCode).toBe(400);
  expect(refused.json().message).toContain('A new track needs 3 laps at racing speed');
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  expect((await propose(admin, { name: 'Short Ring' }, shortCsv())).statusCode).toBe(200);
  await deleteProposals();
});

test('lines that no lap crosses, of a strange width or out of this world are refused with the field', async () => {
  const driver = await insertSignedIn(app.db);
  const far = { a: { lat: 10, lon: 10 }, b: { lat: 10.0002, lon: 10 }, bearingDeg: null };
  const wide = kartLineAcross(-100, 100);
  const wrong: [given: object, sentence: string][] = [
    [{ startFinishLine: far }, 'No lap of this file goes over the line.'],
    [{ startFinishLine: wide }, 'There is a problem with startFinishLine: A line is 4 to 120 m wide.'],
    [{ sectors: [{ ...far, name: 'S1' }] }, 'No lap crosses S1.'],
    [{ name: '  ' }, ''],
    [{ country: null }, ''],
    [{ startFinishLine: { ...far, a: { lat: 91, lon: 0 } } }, ''],
    [{ sectors: Array.from({ length: LIMITS.proposedSectorsMax + 1 }, () => KART_TRACK.sectors[0]) }, ''],
  ];
  for (const [given, sentence] of wrong) {
    const response = await propose(driver, given);
    expect(response.statusCode, JSON.stringify(given)).toBe(400);
    expect(response.json().message).toContain(sentence);
  }
  const noJson = await app.as(driver).postForm('/api/tracks/proposals', [
    ['track', '{'],
    ['file', kartCsv()],
  ]);
  expect(noJson.statusCode).toBe(400);
  const noLapFile = await propose(driver, {}, { name: 'a.csv', content: 'milk, eggs, butter' });
  expect(noLapFile.statusCode).toBe(400);
});

test('a driver proposes so many tracks a day, an administrator any number', async () => {
  const driver = await insertSignedIn(app.db);
  for (let number = 1; number <= LIMITS.trackProposalsPerDayMax; number += 1)
    await app.db.insert(auditLog).values({ userId: driver.userId, action: 'propose-track', counts: {} });
  const response = await propose(driver, { name: 'One Too Many' });
  expect(response.statusCode).toBe(429);
  expect(response.json().message).toBe(
    `You can propose ${LIMITS.trackProposalsPerDayMax} tracks a day. Please try again tomorrow.`,
  );
  await app.db.update(auditLog).set({ at: new Date(Date.now() - 25 * 3_600_000) });
  expect((await propose(driver, { name: 'The Next Day' })).statusCode).toBe(409);
});

test('a layout that is known by its outline only is not added again, but for an administrator', async () => {
  await deleteProposals();
  await app.db.execute(sql`UPDATE tracks SET outline = NULL`);
  await insertTrack(app.db, { ...KART_TRACK, id: 'known-ring', name: 'Known Ring', startFinishLine: null });
  const driver = await insertSignedIn(app.db);
  const refused = await propose(driver, { name: 'Known Ring Again' });
  expect(refused.statusCode).toBe(409);
  expect(refused.json().message).toBe('These laps were driven on a track that is here already: Known Ring.');
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  expect((await propose(admin, { name: 'Known Ring Again' })).statusCode).toBe(200);
  await app.db.execute(sql`DELETE FROM tracks WHERE name LIKE 'Known Ring%'`);
});

test('a venue has no two layouts of the same name', async () => {
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const response = await propose(admin, { name: 'Hidden Ring' });
  expect(response.statusCode).toBe(409);
  expect(response.json().message).toBe('There is a track with this name and layout here already.');
  expect((await propose(admin, { name: 'Hidden Ring', configuration: 'Long' })).statusCode).toBe(200);
});
