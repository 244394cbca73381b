import { readdirSync } from 'node:fs';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Analysis } from '#contract/upload/schemas.ts';
import type { OutlinePoint } from '#engine/track.ts';
import { BINARY_WRITERS } from '#engine/testing/binary-writers.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { joinVideo, writeGoProVideo } from '#engine/testing/write-gopro-mp4.ts';
import { writeZip } from '#engine/testing/write-zip.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import type { TestFile } from '#server/testing/form.ts';
import { DRIVEN_AT_MS, driveKart, insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let driver: SignedIn;
let trackId: string;

beforeAll(async () => {
  driver = await insertSignedIn(app.db);
  trackId = await insertKartTrack(app.db);
});

async function analyze(file: TestFile, fields: Record<string, string> = {}) {
  return await app.as(driver).postForm('/api/analyze-gps', [['file', file], ...Object.entries(fields)]);
}

test('an analysis suggests the track and times its laps without storing anything', async () => {
  const truth = driveKart();
  const response = await analyze({ name: 'a.csv', content: writeGenericCsv(truth) });
  expect(response.statusCode).toBe(200);
  const analysis = response.json<Analysis>();
  const bestMs = Math.min(...truth.trueLaps.map((lap) => lap.lapTimeMs));
  expect(analysis).toMatchObject({ lapCount: 3, gpsPointCount: truth.fixes.length, gpsRateHz: 10 });
  expect(Math.abs((analysis.bestLapTimeMs ?? 0) - bestMs)).toBeLessThanOrEqual(2);
  expect(analysis.gpsPoints.length).toBeLessThanOrEqual(1_000);
  expect(analysis.gpsSuggestions[0]?.confidencePct).toBeGreaterThan(50);
  expect(analysis.gpsSuggestions[0]?.laps).toHaveLength(3);
  const { rows } = await app.database.pool.query(
    'SELECT sha256 FROM lap_files UNION ALL SELECT lap_file_sha256 FROM sessions',
  );
  expect(rows).toEqual([]);
  expect(readdirSync(app.incomingFolder)).toEqual([]);
});

test('a compressed file is analysed, and one that unpacks to far more is refused in words', async () => {
  const packed = gzipSync(writeGenericCsv(driveKart()));
  const analysis = (await analyze({ name: 'a.csv.gz', content: packed })).json<Analysis>();
  expect(analysis.lapCount).toBe(3);
  const bomb = await analyze({ name: 'b.csv.gz', content: gzipSync(Buffer.alloc(20_000_000)) });
  expect(bomb.statusCode).toBe(200);
  expect(bomb.json<Analysis>().message).toContain('unpacks to far more than a lap file');
});

test.each(Object.keys(BINARY_WRITERS))(
  'a file of %s is analysed, and half of its header is refused in words',
  async (format) => {
    const content = Buffer.from(BINARY_WRITERS[format]?.(driveKart()) ?? []);
    const whole = (await analyze({ name: 'session.bin', content })).json<Analysis>();
    expect({ format: whole.format, lapCount: whole.lapCount }).toEqual({ format, lapCount: 3 });
    const cut = await analyze({ name: 'session.bin', content: content.subarray(0, 40) });
    expect(cut.statusCode).toBe(200);
    expect(cut.json<Analysis>()).toMatchObject({
      gpsPointCount: 0,
      message: expect.stringMatching(/^This .*\.$/),
    });
  },
);

test('a ZIP bomb, a video and an archive of several lap files are refused in words', async () => {
  const zeros = [['channel_1_100_0_1_1', Buffer.alloc(20_000_000)]] as const;
  const several = ['a.csv', 'b.csv'].map((name) => [name, Buffer.from('time,lat,lon')] as const);
  const sentences: [Uint8Array, string][] = [
    [writeZip([...zeros, ['channel_1_100_0_3_1', Buffer.alloc(8)]], deflateRawSync), 'unpacks to far more'],
    [writeZip(several), 'holds 2 lap files'],
    [joinVideo(writeGoProVideo(driveKart())), 'This is a video; choose it on the upload page'],
  ];
  for (const [content, sentence] of sentences) {
    const response = await analyze({ name: 'a.zip', content: Buffer.from(content) });
    expect(response.statusCode).toBe(200);
    expect(response.json<Analysis>().message).toContain(sentence);
  }
});

test('with a track, the laps are timed on that track only', async () => {
  const response = await analyze(kartCsv(), { trackId });
  const { gpsSuggestions } = response.json<Analysis>();
  expect(gpsSuggestions).toMatchObject([{ trackId, lapCount: 3 }]);
  expect((await analyze(kartCsv(), { trackId: 'atlantis-ring' })).statusCode).toBe(404);

  const far = await insertKartTrack(app.db, { name: 'Far Ring', centerLat: 49.1 });
  const analysis = (await analyze(kartCsv(), { trackId: far })).json<Analysis>();
  expect(analysis.message).toBe('This file was recorded 111 km away from Far Ring.');
});

test('a file that cannot be analysed gives no suggestion and no point, and says why', async () => {
  const response = await analyze({ name: 'a.csv', content: 'milk, eggs, butter' });
  expect(response.statusCode).toBe(200);
  const analysis = response.json<Analysis>();
  expect(analysis).toMatchObject({
    gpsSuggestions: [],
    gpsPoints: [],
    gpsPointCount: 0,
    lapCount: 0,
    bestLapTimeMs: null,
  });
  expect(analysis.message).toMatch(/^[A-Z].*\.$/);
});

test('a track that was added a moment ago is matched', async () => {
  const north = { ...KART_TRACK, id: 'north-track', centerLat: 58.1, outline: moved(KART_TRACK.outline) };
  const line = KART_TRACK.startFinishLine;
  const startFinishLine = line && { ...line, a: shift(line.a), b: shift(line.b) };
  const content = writeGenericCsv(
    simulateDrive(
      { ...north, startFinishLine, sectors: [] },
      { seed: 9, laps: 2, startTimeMs: DRIVEN_AT_MS },
    ),
  );
  const ask = async () => (await analyze({ name: 'n.csv', content })).json<Analysis>();
  expect(await ask()).toMatchObject({
    gpsSuggestions: [],
    message: 'This file matches no track of the library.',
  });
  await insertKartTrack(app.db, { ...north, startFinishLine, sectors: [] });
  expect((await ask()).gpsSuggestions[0]).toMatchObject({ trackId: 'north-track' });
});

function shift(position: { lat: number; lon: number }) {
  return { ...position, lat: position.lat + 10 };
}

function moved(outline: OutlinePoint[] | null): OutlinePoint[] | null {
  return outline && outline.map(([lat, lon]) => [lat + 10, lon]);
}
