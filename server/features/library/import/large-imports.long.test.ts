import { beforeAll, expect, test } from 'vitest';
import type { CarPreview, CreatedTrack, NewCar, ParsedTrack } from '#contract/library/schemas.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { kartCsv } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

// The largest files that the imports take need some seconds, and far longer on a machine that is busy with other tests.
const PATIENCE_MS = 600_000;

const app = useTestApp();
let admin: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { isAdmin: true });
});

const postFile = (url: string, name: string, content: string) =>
  app.as(admin).postForm(url, [['file', { name, content }]]);

async function previewCars(lines: string[]): Promise<CarPreview> {
  const header = 'make,modelFamily,variant,generation,modelKey,modelDisplay,years,drivetrain,raceClass';
  const url = '/api/admin/car-library/upload-preview';
  return (await postFile(url, 'cars.csv', [header, ...lines].join('\n'))).json();
}

async function createTracks(tracks: readonly ParsedTrack[]): Promise<CreatedTrack[]> {
  return (await app.as(admin).post('/api/admin/create-tracks', { tracks })).json();
}

test(
  'a file with 100,000 cars is previewed and imported',
  async () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, i) => `Make ${i % 50},Family ${i % 1_000},Variant ${i},Mk${i % 7},,,1990-1999,RWD,Class ${i % 9}`,
    );
    const preview = await previewCars([...lines, 'broken', lines[0] ?? '']);
    expect(preview.summary).toEqual({ total: 100_002, new: 100_000, existing: 0, withProblems: 2 });
    const answer = await app.as(admin).post('/api/admin/car-library/import', { cars: preview.newCars });
    expect(answer.json()).toEqual({ imported: 100_000, existing: 0, problems: [] });
    expect((await previewCars(lines)).summary).toMatchObject({ new: 0, existing: 100_000 });
    const names: NewCar | undefined = preview.newCars.at(-1);
    const { make = '', modelFamily = '', variant = '', generation = '' } = names ?? {};
    const match = await app
      .asGuest()
      .get(
        `/api/car-library/exact-match?${new URLSearchParams({ make, modelFamily, variant, generation }).toString()}`,
      );
    expect(match.json()).toMatchObject({ modelKey: names?.modelKey });
  },
  PATIENCE_MS,
);

test(
  'a file with 10,000 tracks is read and created',
  async () => {
    const outline = Array.from({ length: 24 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 24;
      return [Math.sin(angle) / 300, Math.cos(angle) / 300] as const;
    });
    const tracks = Array.from({ length: 10_000 }, (_, i) => {
      const [centerLat, centerLon] = [-40 - (i % 100) / 10, 20 + Math.floor(i / 100) / 10];
      return {
        name: `Mass Ring ${i}`,
        location: 'Adenau',
        configuration: 'Full',
        country: 'Germany',
        centerLat,
        centerLon,
        radiusMeters: 900,
        startFinishLine: {
          a: { lat: centerLat, lon: centerLon + 0.0031 },
          b: { lat: centerLat, lon: centerLon + 0.0035 },
          bearingDeg: 0,
        },
        outline: outline.map(([lat, lon]) => [centerLat + lat, centerLon + lon]),
      };
    });
    const kart = { ...KART_TRACK, name: 'Kartbahn Süd', location: 'Adenau', country: 'Germany' };
    const content = JSON.stringify({ tracks: [...tracks.slice(1), kart] });
    const file = await postFile('/api/admin/parse-tracks', 'tracks.json', content);
    expect(file.statusCode).toBe(200);
    const parsed = file.json<ParsedTrack[]>();
    expect(parsed).toHaveLength(10_000);
    const results = await createTracks(parsed);
    expect(results.filter(({ status }) => status === 'success')).toHaveLength(10_000);
    const again = await createTracks(parsed.slice(-100));
    expect(again.filter(({ status }) => status === 'exists')).toHaveLength(100);
    // They can be matched, too: the library is read by the threads that match.
    const analysis = await app.as(admin).postForm('/api/analyze-gps', [['file', kartCsv()]]);
    expect(analysis.json().gpsSuggestions.length).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
