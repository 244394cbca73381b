import { eq } from 'drizzle-orm';
import type { TrackId } from '#contract/ids.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { lapFiles, laps } from '#server/model/laps/schema.ts';
import { insertSignedIn } from './builders.ts';
import { driveKart } from './kart-uploads.ts';
import type { TestApp } from './test-app.ts';

export type KartUpload = Awaited<ReturnType<typeof insertKartUpload>>;

/** Inserts a driver with a new upload of three laps; returns both, and the file as it was sent. */
export async function insertKartUpload(
  { as, db }: Pick<TestApp, 'as' | 'db'>,
  trackId: TrackId,
  content = writeGenericCsv(driveKart()),
) {
  const driver = await insertSignedIn(db);
  const [result] = (await as(driver).uploadLaps(trackId, { name: 'laps.csv', content })).json().results;
  if (!result.success) throw new Error(result.error);
  const rows = await db.select().from(laps).where(eq(laps.sessionId, result.sessionId)).orderBy(laps.number);
  const [file] = await db.select().from(lapFiles).where(eq(lapFiles.userId, driver.userId));
  const ranking = rows.filter(({ status }) => status === 'valid');
  const [lap, nextLap] = ranking;
  if (!file || !lap || !nextLap) throw new Error('The upload has no laps.');
  const url = `/api/tracks/${trackId}/laps/${lap.id}`;
  return {
    ...driver,
    trackId,
    content,
    sessionId: result.sessionId,
    lap,
    nextLap,
    url,
    storageKey: file.storageKey,
  };
}
