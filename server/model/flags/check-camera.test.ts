import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lapIdSchema } from '#contract/ids.ts';
import { writeCameraCsv } from '#engine/formats/camera/write-camera-csv.ts';
import type { DrivenFix } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { lapEvidence, lapFlags } from './schema.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { driveKart, insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

/** Writes the file of a camera in the same kart: it wanders by half a metre, and is a metre off. */
function writeCamera(fixes: readonly DrivenFix[], offMeters: (index: number) => number): string {
  const samples = fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }, index) => ({
    timeMs,
    lat: lat + (1 + 0.5 * Math.sin(timeMs / 7_000)) / 111_195 + offMeters(index) / 111_195,
    lon: lon + (0.5 * Math.cos(timeMs / 9_000)) / 70_000,
    speedMetersPerSecond: speedMetersPerSecond + 0.2 * Math.sin(timeMs / 900),
    fixKind: 3,
    precision: 1.5,
  }));
  const source = { name: 'GX010042.MP4', fingerprint: 'a'.repeat(64) };
  return writeCameraCsv({ camera: 'HERO9 Black', isUtc: true, samples }, source);
}

/** A driver who uploads a lap file, and then what the camera recorded. */
async function upload(offMeters: (index: number) => number) {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const drive = driveKart();
  const send = async (name: string, content: string) => {
    const [result] = (await app.as(driver).uploadLaps(trackId, { name, content })).json().results;
    expect(result).toMatchObject({ success: true });
    return lapIdSchema.parse(result.bestLapId);
  };
  const lapId = await send('laps.csv', writeGenericCsv(drive));
  await app.runJobs();
  await send('GX010042.csv', writeCamera(drive.fixes, offMeters));
  await app.runJobs();
  const view = await app.asGuest().get(`/api/tracks/${trackId}/laps/${lapId}`);
  return {
    evidence: view.json().evidence,
    granted: await app.db.select().from(lapEvidence).where(eq(lapEvidence.lapId, lapId)),
    flags: await app.db.select().from(lapFlags).where(eq(lapFlags.lapId, lapId)),
  };
}

test('a camera that agrees is evidence for the lap, with its figures', async () => {
  const { evidence, granted, flags } = await upload(() => 0);
  expect(evidence).toEqual(['file', 'video-gps']);
  expect(granted).toMatchObject([{ kind: 'video-gps', figures: { residualMeters: expect.any(Number) } }]);
  expect(flags.filter(({ reason }) => reason === 'camera')).toEqual([]);
});

test('a camera that disagrees is no evidence, and the lap is flagged with figures', async () => {
  const { evidence, flags } = await upload((index) => 25 * Math.sin(index / 60));
  expect(evidence).toEqual(['file']);
  expect(flags.find(({ reason }) => reason === 'camera')).toMatchObject({
    userId: null,
    sentence: expect.stringMatching(/^The camera .* m apart/),
  });
});
