import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Analysis } from '#contract/upload/schemas.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { kartLayouts } from '#engine/testing/kart-venue.ts';
import type { Track } from '#engine/track.ts';
import { insertSignedIn, insertTrack, type SignedIn } from '#server/testing/builders.ts';
import { DRIVEN_AT_MS } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { libraryTrack } from '../../../tests/library.ts';

const app = useTestApp();
let driver: SignedIn;

beforeAll(async () => {
  driver = await insertSignedIn(app.db);
});

beforeEach(() => app.database.pool.query('DELETE FROM tracks'));

/** Returns the tracks that are suggested for three laps on a layout. */
async function suggestionsFor(layout: Track, seed: number) {
  const receiver = { noiseMeters: 0.3, driftMeters: 1 };
  const drive = simulateDrive(layout, { seed, laps: 3, startTimeMs: DRIVEN_AT_MS, receiver });
  const file = { name: 'laps.csv', content: writeGenericCsv(drive) };
  const response = await app.as(driver).postForm('/api/analyze-gps', [['file', file]]);
  return response.json<Analysis>().gpsSuggestions;
}

test.each([
  ['six kart layouts', 'their outlines', kartLayouts()],
  [
    'two layouts of a club',
    'their lengths and sector lines',
    ['full', 'north'].map((layout) => libraryTrack(`autobahn-country-club-${layout}`)),
  ],
])('%s on one start/finish line are distinguished by %s; the runner-up stays', async (_name, by, layouts) => {
  for (const { outline, ...layout } of layouts)
    await insertTrack(app.db, by === 'their outlines' ? { ...layout, outline } : layout);
  for (const [index, layout] of layouts.entries()) {
    const [best, runnerUp, ...others] = await suggestionsFor(layout, index + 1);
    expect(best).toMatchObject({ trackId: layout.id, lapCount: 3 });
    expect(layouts.map(({ id }) => id)).toContain(runnerUp?.trackId);
    expect(runnerUp?.confidencePct).toBeLessThan(best?.confidencePct ?? 0);
    expect(runnerUp?.laps.length).toBeGreaterThan(0);
    expect(others).toEqual([]);
  }
});
