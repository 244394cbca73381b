import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { buildTrackIndex, matchTracks } from '../matching/match-tracks.ts';
import { toLapFile, simulateDrive } from '../simulation/drive.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import type { SectorLine, Track } from '../track.ts';

const GRATTAN = libraryTrack('grattan-raceway-full');

/** Returns the first two sectors of a circuit as a hill climb: the outline ends where they do. */
function climb(): Track {
  const [first, second] = GRATTAN.sectors;
  if (first === undefined || second === undefined || GRATTAN.outline === null)
    throw new Error('The track is whole.');
  const end = nearestCorner(GRATTAN, second);
  return {
    ...GRATTAN,
    id: 'hill-climb',
    lengthMeters: null,
    finishLine: { a: second.a, b: second.b, bearingDeg: second.bearingDeg },
    sectors: [first],
    outline: GRATTAN.outline.slice(0, end + 1),
  };
}

function nearestCorner({ outline }: Track, line: SectorLine): number {
  const distances = (outline ?? []).map(([lat, lon]) =>
    Math.hypot(lat - line.a.lat, (lon - line.a.lon) * 0.73),
  );
  return distances.indexOf(Math.min(...distances));
}

const drive = simulateDrive(GRATTAN, { seed: 5, laps: 4, receiver: { rateHz: 10 } });
const file = openFixes(toLapFile(drive.fixes));

test('from a start line to a finish line elsewhere, runs are timed and not laps', () => {
  const { laps, bestLapTimeMs } = timeLaps(file, climb());
  // The car drives on after the last whole lap, but not as far as the finish.
  expect(laps).toHaveLength(4);
  laps.forEach((run, index) => {
    const [first = 0, second = 0] = drive.trueLaps[index]?.sectorTimesMs ?? [];
    expect(Math.abs(run.lapTimeMs - first - second)).toBeLessThan(0.5);
    expect(run.sectorTimesMs).toHaveLength(2);
    expect([run.status, ...run.reasons]).toEqual(['valid']);
  });
  expect(bestLapTimeMs).toBe(Math.min(...laps.map((run) => run.lapTimeMs)));
});

test('a finish crossing without a start since the last finish makes no run', () => {
  const track = climb();
  const fromMs = (drive.trueLaps[1]?.startTimeMs ?? 0) - 3000;
  const withoutStart = drive.fixes.filter((fix) => fix.timeMs < fromMs || fix.timeMs > fromMs + 8000);
  const { laps } = timeLaps(openFixes(toLapFile(withoutStart)), track);
  expect(laps.filter((run) => run.status === 'valid')).toHaveLength(3);
});

test('runs find their track', () => {
  const [best] = matchTracks(file.trace, buildTrackIndex([climb()]));
  expect(best?.track.id).toBe('hill-climb');
  expect(best?.confidencePct).toBeGreaterThan(80);
});
