import { expect, test } from 'vitest';
import { asSessionId } from '#contract/testing/ids.ts';
import { newLapId } from '#server/testing/builders.ts';
import { lapComparisonSchema } from '#contract/lap-view/comparison.ts';
import { encodeLapTrace } from '#engine/comparison/lap-trace.ts';
import { simulateDrive, toLapFile } from '#engine/simulation/drive.ts';
import { openFixes, timeLaps } from '#engine/time-lap-file.ts';
import type { Position } from '#engine/geo.ts';
import type { Track } from '#engine/track.ts';
import { ANSWER_CHARACTERS_MAX } from '#server/pages/render-page.ts';
import { libraryTrack } from '../../../../tests/library.ts';
import { describeComparison } from './describe-comparison.ts';

const SPA = libraryTrack('circuit-de-spa-francorchamps-grand-prix');

/** A track of so many times the size. */
function enlarge(track: Track, factor: number): Track {
  const { centerLat, centerLon, startFinishLine, outline } = track;
  const moved = ({ lat, lon }: Position) => ({
    lat: centerLat + factor * (lat - centerLat),
    lon: centerLon + factor * (lon - centerLon),
  });
  if (startFinishLine === null || outline === null) throw new Error('The track is complete.');
  return {
    ...track,
    sectors: [],
    lengthMeters: factor * (track.lengthMeters ?? 0),
    radiusMeters: factor * track.radiusMeters,
    startFinishLine: { ...startFinishLine, a: moved(startFinishLine.a), b: moved(startFinishLine.b) },
    outline: outline.map(([lat, lon]) => {
      const position = moved({ lat, lon });
      return [position.lat, position.lon];
    }),
  };
}

function compareFourLaps(track: Track): string {
  const laps = [1, 2, 3, 4].map((seed) => {
    const file = openFixes(
      toLapFile(simulateDrive(track, { seed, laps: 1, receiver: { rateHz: 10 } }).fixes),
    );
    const [lap] = timeLaps(file, track).laps;
    if (lap === undefined) throw new Error('The drive has a lap.');
    const lapTimeMs = Math.round(lap.lapTimeMs);
    return {
      lapId: newLapId(),
      sessionId: asSessionId(String(seed)),
      lapTimeMs,
      trace: encodeLapTrace({ ...file, lap }),
    };
  });
  const json = describeComparison({ laps, line: null, track, cornerNames: [] });
  return Buffer.from(json ?? '').toString();
}

test('four laps of a long circuit, or of one of 21 km, come with the page that shows them', () => {
  for (const [track, stations] of [
    [SPA, 1402],
    [enlarge(SPA, 3), 2001],
  ] as const) {
    const json = compareFourLaps(track);
    const { reference } = lapComparisonSchema.parse(JSON.parse(json));
    expect(Math.abs(reference.meters.length - stations)).toBeLessThan(40);
    expect(json.length).toBeLessThan(ANSWER_CHARACTERS_MAX);
  }
});

const LAGUNA = libraryTrack('weathertech-raceway-laguna-seca-full');
const HOLE_MS = 2_000;

/** Compares two drives of one lap; the second one is without the positions of two seconds in the middle of its lap, or whole. */
function compareWithHole(hasHole: boolean) {
  const laps = [1, 2].map((seed) => {
    const { fixes, trueLaps } = simulateDrive(LAGUNA, { seed, laps: 1, receiver: { rateHz: 10 } });
    const { startTimeMs = NaN, lapTimeMs: trueMs = NaN } = trueLaps[0] ?? {};
    const holeMs = startTimeMs + trueMs / 2;
    const isKept = ({ timeMs }: { timeMs: number }) => timeMs <= holeMs || timeMs >= holeMs + HOLE_MS;
    const file = openFixes(toLapFile(hasHole && seed === 2 ? fixes.filter(isKept) : fixes));
    const [lap] = timeLaps(file, LAGUNA).laps;
    if (lap === undefined) throw new Error('The drive has a lap.');
    const lapTimeMs = Math.round(lap.lapTimeMs);
    const trace = encodeLapTrace({ ...file, lap });
    return { lapId: newLapId(), sessionId: asSessionId(String(seed)), lapTimeMs, trace };
  });
  const json = describeComparison({ laps, line: null, track: LAGUNA, cornerNames: [] });
  const { reference, laps: compared } = lapComparisonSchema.parse(
    JSON.parse(Buffer.from(json ?? '').toString()),
  );
  const [other] = compared;
  if (!other) throw new Error('There is another lap.');
  return { reference, other };
}

test('a hole in a recording is in the answer of its lap, where the gap is less certain', () => {
  const whole = compareWithHole(false);
  expect([whole.reference.holes, whole.other.holes]).toEqual([[], []]);
  const { reference, other } = compareWithHole(true);
  expect(reference.holes).toEqual([]);
  expect(other.holes).toHaveLength(1);
  const { startMeters = NaN, endMeters = NaN, lastsMs = NaN } = other.holes[0] ?? {};
  // The positions beside the hole are up to an interval before and after it.
  expect(lastsMs).toBeGreaterThanOrEqual(HOLE_MS);
  expect(lastsMs).toBeLessThanOrEqual(HOLE_MS + 200);
  const middle = reference.meters.findIndex((along) => along >= (startMeters + endMeters) / 2);
  const after = reference.meters.findIndex((along) => along >= endMeters + 200);
  const [inHole = 0, later = 0] = [other.bandMs[middle], other.bandMs[after]];
  expect(inHole).toBeGreaterThan(1.3 * (whole.other.bandMs[middle] ?? 0));
  expect(inHole).toBeGreaterThan(1.3 * later);
});
