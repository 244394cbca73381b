import { buildTrackIndex, matchTracks } from '#engine/match-tracks.ts';
import { lapFileOf, simulateDrive } from '#engine/testing/drive.ts';
import { seededRandom } from '#engine/testing/random.ts';
import { buildTrace } from '#engine/trace.ts';
import type { Track } from '#engine/track.ts';
import { LIBRARY } from '../tests/library.ts';

const TRACKS = 10_000;
const ROUNDS = 15;
/** A suggestion shown with this much confidence should be right. */
const SURE_PCT = 90;

/** How long it takes to find the track of a drive among many, and how often the first suggestion is right. */
export async function run(): Promise<void> {
  const start = performance.now();
  const index = buildTrackIndex(manyTracks());
  console.log(`Index of ${TRACKS} tracks: ${(performance.now() - start).toFixed(0)} ms\n`);
  console.log('drive'.padEnd(44), 'fixes'.padStart(8), 'median'.padStart(10), 'first'.padStart(10));
  for (const [id, laps, rateHz] of [
    ['grattan-raceway-full', 10, 10],
    ['autobahn-country-club-full', 6, 25],
    ['autodromo-nazionale-monza-grand-prix', 22, 25],
  ] as const) {
    const track = LIBRARY.find((candidate) => candidate.id === id);
    if (track === undefined) throw new Error(`data/tracks.json has no ${id}.`);
    const trace = buildTrace(lapFileOf(simulateDrive(track, { seed: 1, laps, receiver: { rateHz } }).fixes));
    const times = Array.from({ length: ROUNDS }, () => {
      const begin = performance.now();
      matchTracks(trace, index);
      return performance.now() - begin;
    });
    const first = times[0] ?? 0;
    times.sort((a, b) => a - b);
    const median = times[Math.floor(ROUNDS / 2)] ?? 0;
    console.log(
      id.padEnd(44),
      String(trace.fixes.length).padStart(8),
      `${median.toFixed(1)} ms`.padStart(10),
      `${first.toFixed(1)} ms`.padStart(10),
    );
  }
  rightness();
}

function rightness(): void {
  const index = buildTrackIndex(LIBRARY);
  let [drives, right, sure, sureAndRight] = [0, 0, 0, 0];
  for (const [seed, track] of LIBRARY.entries()) {
    for (const rateHz of [1, 10]) {
      const receiver = { rateHz, driftMeters: 2, noiseMeters: 0.3 };
      const { fixes } = simulateDrive(track, { seed, laps: 2, receiver });
      const [best] = matchTracks(buildTrace(lapFileOf(fixes)), index);
      const isRight = best?.track.id === track.id;
      drives += 1;
      right += isRight ? 1 : 0;
      sure += (best?.confidencePct ?? 0) >= SURE_PCT ? 1 : 0;
      sureAndRight += isRight && (best?.confidencePct ?? 0) >= SURE_PCT ? 1 : 0;
    }
  }
  console.log(`\nFirst suggestion right: ${right} of ${drives} drives with 2 m drift`);
  console.log(`Shown with ${SURE_PCT} % or more: ${sure}, of these right: ${sureAndRight}`);
}

/** The library, and copies of its tracks all over the world. */
function manyTracks(): Track[] {
  const random = seededRandom(1);
  const copies = Array.from({ length: TRACKS - LIBRARY.length }, (_, number): Track => {
    const track = LIBRARY[number % LIBRARY.length];
    if (track === undefined) throw new Error('The library is empty.');
    const [north, east] = [
      120 * random.uniform() - 60 - track.centerLat,
      360 * random.uniform() - 180 - track.centerLon,
    ];
    const move = ({ lat, lon }: { lat: number; lon: number }) => ({ lat: lat + north, lon: lon + east });
    const line = track.startFinishLine;
    return {
      ...track,
      id: `copy-${number}`,
      centerLat: track.centerLat + north,
      centerLon: track.centerLon + east,
      startFinishLine: line && { ...line, a: move(line.a), b: move(line.b) },
      sectors: track.sectors.map((sector) => ({ ...sector, a: move(sector.a), b: move(sector.b) })),
      outline: track.outline && track.outline.map(([lat, lon]) => [lat + north, lon + east]),
    };
  });
  return [...LIBRARY, ...copies];
}
