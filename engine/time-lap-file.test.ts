import { expect, test } from 'vitest';
import type { Lap } from './timing/laps.ts';
import type { LapFile } from './lap-file.ts';
import { toLapFile, simulateDrive, type DrivenFix, type DriveOptions } from './simulation/drive.ts';
import { libraryTrack } from '../tests/library.ts';
import { openFixes, timeLaps } from './time-lap-file.ts';
import type { Track } from './track.ts';

const GRATTAN = libraryTrack('grattan-raceway-full');
const MONZA = libraryTrack('autodromo-nazionale-monza-grand-prix');

function drive(track: Track, changes: Partial<DriveOptions> = {}) {
  return simulateDrive(track, { seed: 7, laps: 5, ...changes });
}

function timed(fixes: DrivenFix[], track: Track, changes: Partial<LapFile> = {}) {
  return timeLaps(openFixes({ ...toLapFile(fixes), ...changes }), track);
}

function verdicts(laps: Lap[]) {
  return laps.map((lap) => [lap.status, ...lap.reasons].join(' '));
}

test('every lap of a drive is found, with its sectors, right to a tenth of a millisecond at 10 Hz', () => {
  const { fixes, trueLaps } = drive(GRATTAN);
  const { laps, bestLapTimeMs, distanceToTrackMeters } = timed(fixes, GRATTAN);
  expect(verdicts(laps)).toEqual(['valid', 'valid', 'valid', 'valid', 'valid']);
  expect(distanceToTrackMeters).toBe(0);
  expect(bestLapTimeMs).toBe(Math.min(...laps.map((lap) => lap.lapTimeMs)));
  laps.forEach((lap, index) => {
    const truth = trueLaps[index];
    expect(lap.number).toBe(index + 1);
    expect(Math.abs(lap.lapTimeMs - (truth?.lapTimeMs ?? 0))).toBeLessThan(0.1);
    expect(lap.sectorTimesMs).toHaveLength(3);
    lap.sectorTimesMs.forEach((sector, which) => {
      expect(Math.abs((sector ?? 0) - (truth?.sectorTimesMs[which] ?? 0))).toBeLessThan(0.5);
    });
  });
});

test('a drive that never comes back to the line has no lap', () => {
  const { fixes } = drive(GRATTAN, { laps: 1 });
  expect(timed(fixes.slice(0, 350), GRATTAN)).toMatchObject({ laps: [], bestLapTimeMs: null });
});

test('a hole of some seconds makes the lap incomplete, and the laps around it count', () => {
  const { fixes, trueLaps } = drive(GRATTAN);
  const holeMs = (trueLaps[2]?.startTimeMs ?? 0) + 30_000;
  const { laps } = timed(
    fixes.filter((fix) => fix.timeMs < holeMs || fix.timeMs > holeMs + 12_000),
    GRATTAN,
  );
  expect(verdicts(laps)[2]).toContain('incomplete gap_in_data');
  expect(laps.filter((lap) => lap.status === 'valid')).toHaveLength(4);
});

test('a short hole is a warning', () => {
  const { fixes, trueLaps } = drive(GRATTAN);
  const holeMs = (trueLaps[2]?.startTimeMs ?? 0) + 30_000;
  const { laps } = timed(
    fixes.filter((fix) => fix.timeMs < holeMs || fix.timeMs > holeMs + 2500),
    GRATTAN,
  );
  expect(verdicts(laps)).toEqual(['valid', 'valid', 'warning gap_in_data', 'valid', 'valid']);
});

test('a pause between two stints is no lap', () => {
  const morning = drive(GRATTAN, { laps: 2 });
  const noon = drive(GRATTAN, {
    laps: 3,
    seed: 8,
    startTimeMs: (morning.fixes.at(-1)?.timeMs ?? 0) + 40 * 60_000,
  });
  const { laps } = timed([...morning.fixes, ...noon.fixes], GRATTAN);
  expect(verdicts(laps)).toEqual(['valid', 'valid', 'valid', 'valid', 'valid']);
});

test('the same laps driven the wrong way round are rejected', () => {
  const { laps, bestLapTimeMs } = timed(drive(GRATTAN, { isReversed: true }).fixes, GRATTAN);
  expect(new Set(verdicts(laps))).toEqual(new Set(['rejected wrong_direction']));
  expect(bestLapTimeMs).toBeNull();
});

test('a line with a wrong direction in the library is forgiven when the car follows the outline in its order', () => {
  const line = GRATTAN.startFinishLine;
  if (line === null) throw new Error('The track has a line.');
  const wrong: Track = {
    ...GRATTAN,
    startFinishLine: { ...line, bearingDeg: ((line.bearingDeg ?? 0) + 180) % 360 },
  };
  const undirected: Track = { ...GRATTAN, startFinishLine: { ...line, bearingDeg: null } };
  const { fixes } = drive(GRATTAN);
  const right = timed(fixes, GRATTAN).laps;
  expect(timed(fixes, wrong).laps).toEqual(right);
  expect(timed(fixes, undirected).laps).toEqual(right);
  const blind = timed(fixes, { ...wrong, outline: null, sectors: [] });
  expect(new Set(verdicts(blind.laps))).toEqual(new Set(['warning wrong_direction']));
});

test('a car that turns round after the line and passes it again has not driven a lap in between', () => {
  const { fixes, trueLaps } = drive(GRATTAN, { laps: 3 });
  const turnMs = (trueLaps[2]?.startTimeMs ?? 0) + 4000;
  const before = fixes.filter((fix) => fix.timeMs < turnMs);
  const detour = [...before.slice(-80).toReversed(), ...before.slice(-80)];
  const after = fixes.filter((fix) => fix.timeMs >= turnMs);
  const { laps } = timed(
    [...before, ...detour, ...after].map((fix, index) => ({
      ...fix,
      timeMs: (fixes[0]?.timeMs ?? 0) + index * 100,
    })),
    GRATTAN,
  );
  expect(verdicts(laps).map((verdict) => verdict.split(' ').slice(0, 2).join(' '))).toEqual([
    'valid',
    'valid',
    'rejected wrong_direction',
    'valid',
  ]);
});

test('a corner that is cut is seen', () => {
  const { fixes, trueLaps } = drive(MONZA, { laps: 3 });
  const startMs = (trueLaps[1]?.startTimeMs ?? 0) + 60_000;
  const cut = fixes.filter((fix) => fix.timeMs >= startMs && fix.timeMs < startMs + 30_000);
  const [from, to] = [cut[0], cut.at(-1)];
  if (from === undefined || to === undefined) throw new Error('The drive is long enough.');
  const straight = cut.map((fix, index) => ({
    ...fix,
    lat: from.lat + ((to.lat - from.lat) * index) / cut.length,
    lon: from.lon + ((to.lon - from.lon) * index) / cut.length,
  }));
  const tampered = fixes.map((fix) => straight[cut.indexOf(fix)] ?? fix);
  const { laps } = timed(tampered, MONZA);
  expect(laps.map((lap) => lap.status)).toEqual(['valid', 'rejected', 'valid']);
  expect(laps[1]?.reasons).toContain('off_track');
});

test('laps of another layout are too short for this one', () => {
  const full = libraryTrack('autobahn-country-club-full');
  const north = libraryTrack('autobahn-country-club-north');
  const { laps } = timed(drive(north).fixes, full);
  expect(laps.length).toBeGreaterThan(0);
  for (const lap of laps) expect(lap.reasons).toEqual(expect.arrayContaining(['too_short', 'off_track']));
});

test('a lap quicker than any race car is rejected', () => {
  const { fixes } = drive(GRATTAN);
  const start = fixes[0]?.timeMs ?? 0;
  const quick = fixes.map((fix) => ({ ...fix, timeMs: start + (fix.timeMs - start) / 5 }));
  for (const verdict of verdicts(timed(quick, GRATTAN).laps)) {
    expect(verdict).toMatch(/^rejected .*impossible_speed/);
  }
});

test('laps on coarse time stamps are shown but do not rank', () => {
  const { fixes } = drive(GRATTAN, { receiver: { timeStampStepMs: 1000, lossShare: 0.02 } });
  const { laps, bestLapTimeMs } = timed(fixes, GRATTAN);
  expect(laps).toHaveLength(5);
  expect(bestLapTimeMs).toBeNull();
  for (const lap of laps) expect(lap.reasons).toContain('coarse_time_stamps');
});

test('a sector line that was missed leaves both of its sectors open', () => {
  const [first, second] = GRATTAN.sectors;
  if (first === undefined || second === undefined) throw new Error('The track has two sector lines.');
  const elsewhere = { ...first, a: { lat: 0, lon: 0 }, b: { lat: 0, lon: 0.001 } };
  const { laps } = timed(drive(GRATTAN).fixes, { ...GRATTAN, sectors: [elsewhere, second] });
  expect(laps[0]?.sectorTimesMs.map((sector) => sector === null)).toEqual([true, true, false]);
});

test('without a start/finish line, the laps of the logger count with a warning', () => {
  const loggerLaps = [
    { number: 1, lapTimeMs: 91_250, startTimeMs: null, roundingMs: 1 },
    { number: 2, lapTimeMs: 90_125, startTimeMs: null, roundingMs: 1 },
  ];
  const bare: Track = { ...GRATTAN, startFinishLine: null };
  const { laps, bestLapTimeMs } = timed(drive(GRATTAN).fixes, bare, { loggerLaps });
  expect(verdicts(laps)).toEqual(['warning timed_by_logger', 'warning timed_by_logger']);
  expect(bestLapTimeMs).toBe(90_125);
  expect((laps[1]?.startTimeMs ?? 0) - (laps[0]?.startTimeMs ?? 0)).toBe(91_250);
});

test('a file from elsewhere says how far away it was recorded', () => {
  const { laps, distanceToTrackMeters } = timed(drive(GRATTAN).fixes, MONZA);
  expect(laps).toEqual([]);
  expect(distanceToTrackMeters / 1000).toBeGreaterThan(7000);
});

test('a lap file has a start time only where the clock has a date', () => {
  const { fixes } = drive(GRATTAN, { laps: 1 });
  expect(openFixes(toLapFile(fixes)).startTimeMs).toBe(fixes[0]?.timeMs);
  expect(openFixes({ ...toLapFile(fixes), clock: 'elapsed' }).startTimeMs).toBeNull();
  expect(openFixes(toLapFile([])).startTimeMs).toBeNull();
});
