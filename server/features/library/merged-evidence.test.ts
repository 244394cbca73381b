import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { lapEvidence, lapFlags, lapQuestions } from '#server/model/flags/schema.ts';
import { laps } from '#server/model/laps/schema.ts';
import { insertSession, insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let admin: SignedIn;
let driver: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
  driver = await insertSignedIn(app.db);
});

test('flags, questions and evidence of laps move with them when their track is merged', async () => {
  const from = await insertKartTrack(app.db, { name: 'Proven Ring Again', configuration: null });
  const into = await insertKartTrack(app.db, { name: 'Proven Ring' });
  const uploaded = await app.as(driver).uploadLaps(from, kartCsv());
  expect(uploaded.json().results).toMatchObject([{ success: true }]);
  const [best] = (await app.asGuest().get(`/api/laps/track/${from}/best`)).json();
  const lap = `tracks/${from}/laps/${best.lapId}`;
  const source = 'Results of the club cup, https://club.example/results';
  await app.as(admin).send('PUT', `/api/admin/${lap}/official`, { source });
  const doubt = { reason: 'time', sentence: 'Too quick for this car.' };
  await app.as(await insertSignedIn(app.db)).post(`/api/${lap}/flags`, doubt);
  await app.as(admin).post(`/api/admin/${lap}/question`, { question: 'Which tyres were on the car?' });

  await app.as(admin).post(`/api/admin/tracks/${from}/merge`, { intoTrackId: into });
  const view = (await app.asGuest().get(`/api/tracks/${into}/laps/${best.lapId}`)).json();
  expect(view).toMatchObject({ grantedEvidence: [{ kind: 'official', source }] });
  const filtered = await app.asGuest().get(`/api/laps/track/${into}/best?evidence=official`);
  expect(filtered.json()).toMatchObject([{ lapId: best.lapId }]);
  for (const table of [lapFlags, lapQuestions]) {
    const rows = await app.db.select().from(table).where(eq(table.lapId, best.lapId));
    expect(rows).toMatchObject([{ trackId: into }]);
  }
});

test('evidence and questions that earlier merges have left at the track that is gone are found again', async () => {
  const trackId = await insertTrack(app.db);
  const driven = { trackId, userId: driver.userId, laps: [{ lapTimeMs: 60_000 }, { lapTimeMs: 61_000 }] };
  await insertSession(app.db, driven);
  const ofTrack = eq(laps.trackId, trackId);
  const [first, second] = await app.db.select().from(laps).where(ofTrack).orderBy(laps.startedAt);
  if (!first || !second) throw new Error('There are no laps.');
  const gone = asTrackId('gone-ring');
  const about = (lap: typeof first) => ({ lapId: lap.id, driverId: driver.userId });
  const granted = { kind: 'official', source: 'First' } as const;
  await app.db.insert(lapEvidence).values([
    { ...about(first), ...granted, trackId: gone },
    { ...about(second), ...granted, trackId: gone },
    { ...about(second), ...granted, trackId, source: 'Again' },
  ]);
  const question = 'Which tyres were on the car?';
  await app.db
    .insert(lapQuestions)
    .values({ ...about(first), trackId: gone, askedBy: admin.userId, question });

  const name = '0050_evidence_of_merged_tracks.sql';
  const folder = join(projectFolder, 'server', 'kernel', 'database', 'migrations');
  await app.database.pool.query(await readFile(join(folder, name), 'utf8'));
  const { lapId, source } = lapEvidence;
  const evidence = await app.db
    .select({ lapId, source })
    .from(lapEvidence)
    .where(eq(lapEvidence.trackId, trackId));
  expect(new Map(evidence.map((one) => [one.lapId, one.source]))).toEqual(
    new Map([
      [first.id, 'First'],
      [second.id, 'Again'],
    ]),
  );
  expect(await app.db.select().from(lapEvidence).where(eq(lapEvidence.trackId, gone))).toEqual([]);
  expect(await app.db.select().from(lapQuestions).where(eq(lapQuestions.trackId, trackId))).toHaveLength(1);
});
