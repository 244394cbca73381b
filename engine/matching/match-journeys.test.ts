import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { LIBRARY, libraryTrack } from '../../tests/library.ts';
import { bearingVector, middle, planeAround, toPosition } from '../geo.ts';
import { buildTrackIndex, matchTracks } from './match-tracks.ts';
import {
  toLapFile,
  simulateDrive,
  type DriveOptions,
  type DrivenFix,
  type Vehicle,
} from '../simulation/drive.ts';
import { kartLayouts, routeTrack } from '../testing/kart-venue.ts';
import { openFixes, openLapFile } from '../time-lap-file.ts';
import type { Trace } from '../trace/trace.ts';
import { undirectedLine } from '../timing-line.ts';
import type { Track } from '../track.ts';

const SPA = libraryTrack('circuit-de-spa-francorchamps-grand-prix');
const MONACO = libraryTrack('circuit-de-monaco-street-circuit');
const KART_TRACKS = kartLayouts();

const RIDER: Vehicle = { cornering: 3.5, braking: 2.5, traction: 1, wattsPerKilogram: 4 };
const HIRE_KART: Vehicle = { cornering: 7, braking: 5, traction: 2, wattsPerKilogram: 15 };
const SEDATE_CAR: Vehicle = { cornering: 4, braking: 3, traction: 2, wattsPerKilogram: 12 };
const RECEIVER = { rateHz: 1, noiseMeters: 0.3, driftMeters: 2 };

function fixesOf(track: Track, options: Partial<DriveOptions>): DrivenFix[] {
  return simulateDrive(track, { seed: 8, laps: 3, receiver: RECEIVER, ...options }).fixes;
}

function suggestionsFor(fixes: DrivenFix[], tracks: readonly Track[]): string[] {
  return suggestionsForTrace(openFixes(toLapFile(fixes)).trace, tracks);
}

function suggestionsForTrace(trace: Trace, tracks: readonly Track[]): string[] {
  return matchTracks(trace, buildTrackIndex(tracks)).map(({ track }) => track.id);
}

/** Leaves out outline and length, as most track files of other programs do. */
function barely(track: Track): Track {
  return { ...track, outline: null, lengthMeters: null, sectors: [] };
}

/** Returns all that may be known of a track: with its outline, with its length only, with its line only. */
function inEveryDetail(track: Track): Track[][] {
  return [[track], [{ ...track, outline: null, sectors: [] }], [barely(track)]];
}

describe('nothing is suggested for', () => {
  test.each([
    ['a bicycle ride on a kart track', KART_TRACKS[4], 8.3],
    ['a bicycle ride on a circuit', SPA, 8.3],
    ['a quick bicycle ride on a circuit', SPA, 12],
    ['a walk of a kart track', KART_TRACKS[0], 1.6],
    ['a tow around a circuit', SPA, 7],
  ])('%s', (_, track, topSpeedMetersPerSecond) => {
    if (track === undefined) throw new Error('The track is there.');
    const fixes = fixesOf(track, { vehicle: RIDER, topSpeedMetersPerSecond });
    for (const known of inEveryDetail(track)) expect(suggestionsFor(fixes, known)).toEqual([]);
  });

  test('a way to work over the start line of a street circuit, there and back for a week', () => {
    const start = MONACO.startFinishLine;
    if (start === null) throw new Error('The circuit has a line.');
    const fixes = fixesOf(wayToWork(MONACO), {
      laps: 5,
      vehicle: SEDATE_CAR,
      topSpeedMetersPerSecond: 25,
      receiver: RECEIVER,
    });
    for (const known of inEveryDetail(MONACO)) expect(suggestionsFor(fixes, known)).toEqual([]);
  });

  test('a road that leads over a line once', () => {
    const fixes = fixesOf(wayToWork(MONACO), {
      laps: 1,
      leadInMeters: 0,
      leadOutMeters: 0,
      vehicle: SEDATE_CAR,
    });
    for (const known of inEveryDetail(MONACO)) expect(suggestionsFor(fixes, known)).toEqual([]);
  });

  test('a journey in town at 40 km/h over half of a street circuit', () => {
    const fixes = fixesOf(MONACO, { laps: 1, vehicle: SEDATE_CAR, topSpeedMetersPerSecond: 11 });
    for (const known of inEveryDetail(MONACO)) {
      expect(suggestionsFor(fixes.slice(0, fixes.length / 2), known)).toEqual([]);
    }
  });
});

/** Drives straight along the circuit's main straight, away for kilometres, and back along another road. */
function wayToWork(track: Track): Track {
  const line = track.startFinishLine;
  if (line === null) throw new Error('The circuit has a line.');
  const start = middle(line.a, line.b);
  const { x, y } = bearingVector(line.bearingDeg ?? 0);
  const away = (along: number, aside: number): [number, number] => [
    along * x + aside * y,
    along * y - aside * x,
  ];
  const corners = [
    away(-4000, 0),
    away(-400, 0),
    away(0, 0),
    away(400, 0),
    away(6000, 300),
    away(6200, 1500),
    away(5000, 2600),
    away(-3000, 2600),
    away(-4300, 1200),
  ];
  const { outline } = routeTrack(corners, { start, name: 'Way to Work' });
  return { ...track, outline };
}

describe('slow karts are still karts', () => {
  test.each([10, 11, 13, 15])('that go %i m/s at best', (topSpeedMetersPerSecond) => {
    for (const track of KART_TRACKS) {
      const fixes = fixesOf(track, { laps: 8, vehicle: HIRE_KART, topSpeedMetersPerSecond });
      expect(suggestionsFor(fixes, KART_TRACKS)[0]).toBe(track.id);
      expect(suggestionsFor(fixes, [barely(track)])).toEqual([track.id]);
    }
  });

  test('and what accelerates like one may be slower yet', () => {
    const [track] = KART_TRACKS;
    if (track === undefined) throw new Error('There are six layouts.');
    const plane = planeAround({ lat: track.centerLat, lon: track.centerLon });
    // Stop and go around the oval of 520 m: 3 to 14 m/s, 8.5 on average.
    const fixes: DrivenFix[] = [];
    for (let [second, meters] = [0, 0]; second < 400; second += 1) {
      const speed = 8.5 + 5.5 * Math.sin(second / 1.6);
      meters += speed;
      const angle = meters / 83;
      const place = toPosition(plane, { x: 83 * Math.sin(angle), y: 83 - 83 * Math.cos(angle) });
      fixes.push({ timeMs: second * 1000, ...place, speedMetersPerSecond: speed });
    }
    expect(suggestionsFor(fixes, [barely(track)])).toEqual([track.id]);
  });
});

const samples = process.env['LAP_SAMPLES'];
const rides = [
  'neg_gpx_komoot_bike-ride.gpx',
  'neg_airdata_drone_flight.csv',
  'racebox_ovrley_2026-07-26_standard.csv',
];

describe.skipIf(samples === undefined)('real recordings that hold no laps (LAP_SAMPLES)', () => {
  test.each(rides.map((name) => join(samples ?? '', 'lap-files', name)).filter((path) => existsSync(path)))(
    '%s',
    (path) => {
      const { trace } = openLapFile(readFileSync(path));
      expect(suggestionsForTrace(trace, LIBRARY)).toEqual([]);
      // A line across the road does not help either.
      for (const share of [0.2, 0.5, 0.8]) {
        const known = trackAcross(trace, Math.floor(share * trace.fixes.length));
        expect(suggestionsForTrace(trace, [known])).toEqual([]);
      }
    },
  );
});

/** Returns a track of which only the line is known: across a trace, where it is at some fix. */
function trackAcross({ fixes }: Trace, fix: number): Track {
  const here = { lat: fixes.lats[fix] ?? 0, lon: fixes.lons[fix] ?? 0 };
  const plane = planeAround(here);
  const ends = [-15, 15].map((x) => toPosition(plane, { x, y: x }));
  const [a, b] = [ends[0] ?? here, ends[1] ?? here];
  return {
    ...barely(SPA),
    id: 'line-across-the-way',
    centerLat: here.lat,
    centerLon: here.lon,
    radiusMeters: 2000,
    startFinishLine: undirectedLine(a, b),
  };
}
