import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { addLine } from '#server/model/laps/build-reference-line.ts';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';

const app = useTestApp();

/** Keeps so few points that the sides lie up to 30 m within the track. */
const COARSE = (KART_TRACK.outline ?? []).filter((_, index) => index % 8 === 0);

async function uploadAndBuild(trackId: TrackId, drivers: number): Promise<void> {
  for (let driver = 0; driver < drivers; driver += 1) await insertKartUpload(app, trackId);
  await addLine(app.db, trackId);
  await app.runJobs();
}

test('three drivers replace a wrong outline: their laps are timed again and the audit log says so', async () => {
  const trackId = await insertKartTrack(app.db, { outline: COARSE });
  await uploadAndBuild(trackId, 2);
  expect((await findTrack(app.db, trackId))?.outline).toEqual(COARSE);

  await uploadAndBuild(trackId, 1);
  expect((await findTrack(app.db, trackId))?.outline?.length).toBeGreaterThan(COARSE.length);
  const entries = await app.db.select().from(auditLog).where(eq(auditLog.subject, trackId));
  expect(entries).toMatchObject([{ action: 'replace-outline', userId: null, counts: { laps: 3 } }]);
  const [row] = await app.db.select().from(tracks).where(eq(tracks.id, trackId));
  expect(row).toMatchObject({ retimeDueAt: null, correctedAt: expect.any(Date) });

  const now = await findTrack(app.db, trackId);
  await uploadAndBuild(trackId, 1);
  expect(await findTrack(app.db, trackId)).toEqual(now);
});

test('a good outline stays as it is', async () => {
  const trackId = await insertKartTrack(app.db);
  await uploadAndBuild(trackId, 3);
  expect((await findTrack(app.db, trackId))?.outline).toEqual(KART_TRACK.outline);
});
