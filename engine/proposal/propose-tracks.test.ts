import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIBRARY, libraryTrack } from '../../tests/library.ts';
import { buildCenterLine } from '../center-line.ts';
import { distanceMeters, middle, wrapDegrees } from '../geo.ts';
import { simulateDrive, toLapFile, type DriveOptions } from '../simulation/drive.ts';
import { median } from '../statistics.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { trackOfPieces } from '../testing/track-of-pieces.ts';
import { openFixes, openLapFile, timeLaps, type OpenedLapFile } from '../time-lap-file.ts';
import { isRanking } from '../timing/laps.ts';
import type { Track } from '../track.ts';
import { courseOfLaps, isWholeLap } from './course-of-laps.ts';
import { proposeTracks, type TrackProposal } from './propose-tracks.ts';

/** Racers have receivers like this one, with the position errors of a real day. */
const RECEIVER = { rateHz: 10, noiseMeters: 0.3, driftMeters: 0.7, coordinateDecimals: 7 };

function drive(track: Track, options: Partial<DriveOptions> & { laps: number }): OpenedLapFile {
  return openFixes(toLapFile(simulateDrive(track, { seed: 7, receiver: RECEIVER, ...options }).fixes));
}

function firstProposal(file: OpenedLapFile): TrackProposal {
  const [proposal] = proposeTracks(file);
  if (proposal === undefined) throw new Error('This drive suggests no track.');
  return proposal;
}

function rankingTimes({ laps }: TrackProposal['timed']): number[] {
  return laps.filter(isRanking).map((lap) => lap.lapTimeMs);
}

function readSample(name: string): OpenedLapFile {
  return openLapFile(readFileSync(new URL(`../../data/lap-files/${name}`, import.meta.url)));
}

const CIRCUITS = [
  'grattan-raceway-full',
  'autodromo-nazionale-monza-grand-prix',
  'silverstone-circuit-grand-prix',
  'circuit-de-monaco-grand-prix',
].flatMap((id) => LIBRARY.filter((track) => track.id === id));

test.each(CIRCUITS.map((track) => ({ name: track.name, track })))(
  '$name: a drive of six laps gives a circuit of its length, with five or six laps on a line that is passed once a lap',
  ({ track }) => {
    const { kind, lineSource, track: proposed, timed } = firstProposal(drive(track, { laps: 6 }));
    expect({ kind, lineSource }).toEqual({ kind: 'circuit', lineSource: 'drive' });
    const share = (proposed.lengthMeters ?? 0) / (buildCenterLine(track)?.lengthMeters ?? 1);
    expect(share).toBeGreaterThan(0.96);
    expect(share).toBeLessThan(1.04);
    const ranking = timed.laps.filter(isRanking);
    expect(ranking.length).toBeGreaterThanOrEqual(5);
    expect(ranking.length).toBeLessThanOrEqual(7);
    expect(timed.laps.filter((lap) => isWholeLap(lap) && !isRanking(lap))).toEqual([]);
    expect(proposed.sectors).toHaveLength(2);
    for (const lap of ranking) expect(lap.sectorTimesMs.every((sectorMs) => sectorMs !== null)).toBe(true);
  },
);

test('its laps are as long as those on the real line, and its outline lies where the car drove', () => {
  const track = libraryTrack('grattan-raceway-full');
  const { fixes, passages } = simulateDrive(track, { seed: 7, laps: 8, receiver: RECEIVER });
  const file = openFixes(toLapFile(fixes));
  const proposal = firstProposal(file);
  const ours = median(rankingTimes(proposal.timed)) ?? 0;
  expect(Math.abs(ours - (median(rankingTimes(timeLaps(file, track))) ?? 0))).toBeLessThan(300);
  const outline = proposal.track.outline ?? [];
  for (const [lat, lon] of outline.filter((_, index) => index % 20 === 0)) {
    const nearest = Math.min(...passages.map(({ position }) => distanceMeters({ lat, lon }, position)));
    expect(nearest).toBeLessThan(6);
  }
  const [first, last] = [outline[0], outline.at(-1)];
  if (first === undefined || last === undefined) throw new Error('An outline has points.');
  const gap = distanceMeters({ lat: first[0], lon: first[1] }, { lat: last[0], lon: last[1] });
  expect(gap).toBeLessThan(15);
});

test('a drive the other way round gives a line that points the other way', () => {
  const track = libraryTrack('grattan-raceway-full');
  const forward = firstProposal(drive(track, { laps: 4 }));
  const file = drive(track, { laps: 4, isReversed: true });
  const { startFinishLine } = firstProposal(file).track;
  if (startFinishLine === null) throw new Error('A proposal has a line.');
  expect(timeLaps(file, forward.track).laps.filter((lap) => lap.status === 'valid')).toEqual([]);
  const near = forward.track.startFinishLine;
  const isSamePlace =
    near !== null &&
    distanceMeters(middle(near.a, near.b), middle(startFinishLine.a, startFinishLine.b)) < 100;
  if (isSamePlace)
    expect(Math.abs(wrapDegrees((near.bearingDeg ?? 0) - (startFinishLine.bearingDeg ?? 0)))).toBeGreaterThan(
      150,
    );
});

test('the line that the file names is taken as it is', () => {
  const track = libraryTrack('grattan-raceway-full');
  const { fixes } = simulateDrive(track, { seed: 3, laps: 3, receiver: RECEIVER });
  const file = openFixes({ ...toLapFile(fixes), startFinishLine: track.startFinishLine });
  const proposal = firstProposal(file);
  expect(proposal.lineSource).toBe('file');
  expect(proposal.track.startFinishLine).toEqual(track.startFinishLine);
  expect(proposal.timed.laps.filter(isRanking)).toHaveLength(3);
});

test('a line of the file that has no direction gets that of the drive, its left end first', () => {
  const line = firstProposal(drive(KART_TRACK, { laps: 4 })).track.startFinishLine;
  if (line === null) throw new Error('A proposal has a line.');
  const { fixes } = simulateDrive(KART_TRACK, { seed: 9, laps: 4, receiver: RECEIVER });
  const undirected = { a: line.b, b: line.a, bearingDeg: null };
  const { track } = firstProposal(openFixes({ ...toLapFile(fixes), startFinishLine: undirected }));
  expect(track.startFinishLine).toMatchObject({ a: line.a, b: line.b });
  expect(
    Math.abs(wrapDegrees((track.startFinishLine?.bearingDeg ?? 0) - (line.bearingDeg ?? 0))),
  ).toBeLessThan(20);
});

test('laps against the direction of a line show no track', () => {
  const file = drive(KART_TRACK, { laps: 4 });
  const { startFinishLine } = firstProposal(file).track;
  if (startFinishLine === null) throw new Error('A proposal has a line.');
  const bearingDeg = ((startFinishLine.bearingDeg ?? 0) + 180) % 360;
  const turned = { a: startFinishLine.b, b: startFinishLine.a, bearingDeg };
  expect(courseOfLaps(file, { startFinishLine, finishLine: null, sectors: null })).not.toBeNull();
  expect(courseOfLaps(file, { startFinishLine: turned, finishLine: null, sectors: null })).toBeNull();
});

test('where the laps of a device begin is its line, within the step of a lap column', () => {
  const track = libraryTrack('grattan-raceway-full');
  const { fixes, trueLaps } = simulateDrive(track, { seed: 4, laps: 4, receiver: RECEIVER });
  const loggerLaps = trueLaps.map(({ startTimeMs, lapTimeMs }, index) => ({
    number: index + 1,
    startTimeMs,
    lapTimeMs,
    roundingMs: 30,
  }));
  const proposal = firstProposal(openFixes({ ...toLapFile(fixes), loggerLaps }));
  expect(proposal.lineSource).toBe('logger_laps');
  const [line, real] = [proposal.track.startFinishLine, track.startFinishLine];
  if (line === null || real === null) throw new Error('Both have a line.');
  expect(distanceMeters(middle(line.a, line.b), middle(real.a, real.b))).toBeLessThan(6);
  proposal.timed.laps
    .filter(isRanking)
    .forEach((lap, index) =>
      expect(Math.abs(lap.lapTimeMs - (trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(60),
    );
});

test('a hill climb that was driven once gives a stage with a start and a finish', () => {
  const hill = trackOfPieces(
    [
      { meters: 200 },
      { degrees: 80, radiusMeters: 40 },
      { meters: 150 },
      { degrees: -120, radiusMeters: 30 },
      { meters: 250 },
      { degrees: 60, radiusMeters: 25 },
      { meters: 120 },
    ],
    'stage',
  );
  // The simulated road leads back to its start; the run ends before that.
  const { fixes, passages } = simulateDrive(hill, { seed: 5, laps: 1, leadInMeters: 0, receiver: RECEIVER });
  const end = passages[Math.floor((hill.lengthMeters ?? 0) - 5)]?.timeMs ?? 0;
  const { kind, track, timed } = firstProposal(
    openFixes(toLapFile(fixes.filter(({ timeMs }) => timeMs < end))),
  );
  expect(kind).toBe('stage');
  expect(track.finishLine).not.toBeNull();
  expect(timed.laps.filter(isRanking)).toHaveLength(1);
});

test('a drive at the speed of traffic around a block of houses is no circuit', () => {
  const block = trackOfPieces(
    [0, 1, 2, 3].flatMap(() => [{ meters: 200 }, { degrees: 90, radiusMeters: 12 }]),
    'circuit',
  );
  const traffic = { cornering: 2.5, braking: 2, traction: 1.5, wattsPerKilogram: 15 };
  expect(proposeTracks(drive(block, { laps: 5, vehicle: traffic, topSpeedMetersPerSecond: 13 }))).toEqual([]);
});

test('a drive that leads nowhere twice, and one that stands still, suggest nothing', () => {
  const { fixes } = simulateDrive(libraryTrack('grattan-raceway-full'), {
    seed: 6,
    laps: 1,
    topSpeedMetersPerSecond: 14,
  });
  expect(proposeTracks(openFixes(toLapFile(fixes.slice(0, fixes.length / 2))))).toEqual([]);
  expect(proposeTracks(openFixes(toLapFile(fixes.slice(0, 1))))).toEqual([]);
  expect(proposeTracks(openFixes(toLapFile([])))).toEqual([]);
});

test.each(['laguna-seca-racechrono.csv', 'waterford-hills-25hz.csv', 'zandvoort-5hz.gpx'])(
  'the sample %s gives a circuit although no track is known',
  (name) => {
    const { kind, confidencePct, timed } = firstProposal(readSample(name));
    expect(kind).toBe('circuit');
    expect(confidencePct).toBeGreaterThanOrEqual(70);
    expect(timed.laps.filter(isRanking).length).toBeGreaterThanOrEqual(2);
  },
);
