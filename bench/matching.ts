import { buildTrackIndex, matchTracks } from '#engine/matching/match-tracks.ts';
import type { TrackMatch } from '#engine/matching/match-tracks.ts';
import { toLapFile, simulateDrive } from '#engine/simulation/drive.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import { buildTrace } from '#engine/trace/trace.ts';
import type { Track } from '#engine/track.ts';
import { LIBRARY } from '../tests/library.ts';
import { matchingCase } from '../tests/matching-cases.ts';

const TRACKS = 10_000;
const ROUNDS = 41;
/** A suggestion shown with this much confidence should be right. */
const SURE_PCT = 90;
const CASES = 800;

/** Measures how long it takes to find the track of a drive among many, and how much a suggestion's confidence means. */
export async function run(): Promise<void> {
  speed();
  rightness();
}

function speed(): void {
  const tracks = manyTracks();
  buildTrackIndex(tracks);
  const [index, buildMs] = timed(() => buildTrackIndex(tracks));
  console.log(
    `Index of ${TRACKS} tracks, built once for each state of the library: ${buildMs.toFixed(0)} ms\n`,
  );
  console.log(
    'drive'.padEnd(44),
    ...['fixes', 'median', 'worst', 'new index'].map((name) => name.padStart(10)),
  );
  for (const [id, laps, rateHz] of [
    ['grattan-raceway-full', 10, 10],
    ['autobahn-country-club-full', 6, 25],
    ['autodromo-nazionale-monza-grand-prix', 22, 25],
  ] as const) {
    const track = LIBRARY.find((candidate) => candidate.id === id);
    if (track === undefined) throw new Error(`data/tracks.json has no ${id}.`);
    const trace = buildTrace(toLapFile(simulateDrive(track, { seed: 1, laps, receiver: { rateHz } }).fixes));
    for (let round = 0; round < ROUNDS; round += 1) matchTracks(trace, index);
    const times = Array.from({ length: ROUNDS }, () => timed(() => matchTracks(trace, index))[1]);
    times.sort((a, b) => a - b);
    // The shapes of tracks are worked out when a drive first comes near them.
    const fresh = buildTrackIndex(tracks);
    const [, freshMs] = timed(() => matchTracks(trace, fresh));
    const shown = [times[Math.floor(ROUNDS / 2)], times.at(-1), freshMs];
    console.log(
      id.padEnd(44),
      String(trace.fixes.length).padStart(10),
      ...shown.map((milliseconds) => `${(milliseconds ?? 0).toFixed(1)} ms`.padStart(10)),
    );
  }
}

function timed<Value>(work: () => Value): [value: Value, milliseconds: number] {
  const begin = performance.now();
  return [work(), performance.now() - begin];
}

type Tally = { drives: number; shown: number; right: number; sure: number; sureAndRight: number };

/** Returns how often the first suggestion is right, by kind of drive and by the confidence that it is shown with. */
function rightness(): void {
  const byKind = new Map<string, Tally>();
  const byDecile = new Map<string, Tally>();
  for (let seed = 0; seed < CASES; seed += 1) {
    const { kind, trace, known, trackId } = matchingCase(seed);
    const [best] = matchTracks(trace, buildTrackIndex(known));
    const isRight = best !== undefined && best.track.id === trackId;
    count(byKind, kind, best, isRight);
    count(byKind, 'all', best, isRight);
    if (best !== undefined) count(byDecile, findDecile(best.confidencePct), best, isRight);
  }
  print(`${CASES} drives by kind`, byKind);
  print('First suggestions by the confidence shown', byDecile);
}

function findDecile(confidencePct: number): string {
  const from = 10 * Math.floor(confidencePct / 10);
  return `${from} to ${from + 9} %`;
}

function count(
  tallies: Map<string, Tally>,
  name: string,
  best: TrackMatch | undefined,
  isRight: boolean,
): void {
  const tally = tallies.get(name) ?? { drives: 0, shown: 0, right: 0, sure: 0, sureAndRight: 0 };
  const isSure = best !== undefined && best.confidencePct >= SURE_PCT;
  tally.drives += 1;
  tally.shown += best === undefined ? 0 : 1;
  tally.right += isRight ? 1 : 0;
  tally.sure += isSure ? 1 : 0;
  tally.sureAndRight += isSure && isRight ? 1 : 0;
  tallies.set(name, tally);
}

function print(title: string, tallies: Map<string, Tally>): void {
  const columns = ['drives', 'shown', 'right', `>= ${SURE_PCT} %`, 'of these right', 'right of shown'];
  console.log(`\n${title.padEnd(44)}`, ...columns.map((name) => name.padStart(14)));
  for (const [name, tally] of [...tallies].toSorted(([a], [b]) => a.localeCompare(b))) {
    const { drives, shown, right, sure, sureAndRight } = tally;
    const share = shown === 0 ? '' : `${((100 * right) / shown).toFixed(0)} %`;
    const cells = [drives, shown, right, sure, sureAndRight, share].map((cell) => String(cell).padStart(14));
    console.log(name.padEnd(44), ...cells);
  }
}

/** Returns the library, and copies of its tracks all over the world. */
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
