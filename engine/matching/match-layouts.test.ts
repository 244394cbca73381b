import { describe, expect, test } from 'vitest';
import { buildTrackIndex, matchTracks, type TrackMatch } from './match-tracks.ts';
import {
  toLapFile,
  simulateDrive,
  type DriveOptions,
  type SimulatedDrive,
  type Vehicle,
} from '../simulation/drive.ts';
import { kartLayouts, movedTrack, reverseTrack } from '../testing/kart-venue.ts';
import { trackOfPieces } from '../testing/track-of-pieces.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { buildTrace } from '../trace/trace.ts';
import type { Track } from '../track.ts';

const LAYOUTS = kartLayouts();
const BOTH_WAYS = [...LAYOUTS, ...LAYOUTS.map(reverseTrack)];
const KART: Vehicle = { cornering: 12, braking: 8, traction: 4, wattsPerKilogram: 50 };
const POOR_RECEIVER = { noiseMeters: 0.4, driftMeters: 2 };

function driveOf(track: Track, options: Partial<DriveOptions> = {}): SimulatedDrive {
  const receiver = { ...POOR_RECEIVER, ...options.receiver };
  return simulateDrive(track, {
    seed: track.id.length,
    laps: 3,
    vehicle: KART,
    topSpeedMetersPerSecond: 24,
    ...options,
    receiver,
  });
}

function matchesOf({ fixes }: SimulatedDrive, tracks: readonly Track[]): TrackMatch[] {
  return matchTracks(buildTrace(toLapFile(fixes)), buildTrackIndex(tracks));
}

describe('six layouts of one kart venue, on one start/finish line', () => {
  test.each([1, 5, 10, 25])('are distinguished at %i Hz, and from their reverse', (rateHz) => {
    for (const track of BOTH_WAYS) {
      const [best, next] = matchesOf(driveOf(track, { receiver: { rateHz } }), BOTH_WAYS);
      expect(best?.track.id).toBe(track.id);
      expect(best?.confidencePct).toBeGreaterThanOrEqual(85);
      expect(next?.confidencePct ?? 0).toBeLessThan(15);
    }
  });

  test('leave the second best to be chosen, with a percentage of its own', () => {
    for (const track of LAYOUTS) {
      const matches = matchesOf(driveOf(track), LAYOUTS);
      expect(matches).toHaveLength(2);
      expect(matches[1]?.confidencePct).toBeLessThan(15);
    }
  });

  test('are distinguished by a single lap', () => {
    for (const track of LAYOUTS) {
      const [best] = matchesOf(driveOf(track, { laps: 1, receiver: { rateHz: 1 } }), BOTH_WAYS);
      expect(best?.track.id).toBe(track.id);
    }
  });

  test('a layout that the library does not have is not taken for one that it has', () => {
    for (const track of LAYOUTS) {
      const others = LAYOUTS.filter((other) => other !== track);
      const [best] = matchesOf(driveOf(track), others);
      expect(best?.confidencePct ?? 0).toBeLessThan(85);
    }
  });

  test('one lap in three over another layout does not change what the session was driven on', () => {
    const [, club, , , international] = LAYOUTS;
    if (club === undefined || international === undefined) throw new Error('There are six layouts.');
    const first = driveOf(international, { laps: 3, leadOutMeters: 0 });
    const lastMs = first.fixes.at(-1)?.timeMs ?? 0;
    const second = driveOf(club, { laps: 1, leadInMeters: 0, startTimeMs: lastMs + 100 });
    const [best] = matchesOf(
      { fixes: [...first.fixes, ...second.fixes], trueLaps: [], passages: [] },
      BOTH_WAYS,
    );
    expect(best?.track.id).toBe(international.id);
  });
});

describe('running against the direction of the only layout that is known', () => {
  const [, , hairpin] = LAYOUTS;
  if (hairpin === undefined) throw new Error('There are six layouts.');
  const drive = driveOf(hairpin, { isReversed: true });

  test('is suggested without being sure', () => {
    const [best] = matchesOf(drive, LAYOUTS);
    expect(best?.track.id).toBe(hairpin.id);
    expect(best?.confidencePct).toBeLessThan(60);
  });

  test('rejects each lap', () => {
    const { laps } = timeLaps(openFixes(toLapFile(drive.fixes)), hairpin);
    expect(laps.length).toBeGreaterThan(1);
    for (const lap of laps) expect(lap).toMatchObject({ status: 'rejected', reasons: ['wrong_direction'] });
  });

  test('does not count where the line has no bearing', () => {
    const line = hairpin.startFinishLine;
    const free: Track = { ...hairpin, startFinishLine: line && { ...line, bearingDeg: null } };
    expect(matchesOf(drive, [free])[0]?.confidencePct).toBeGreaterThan(75);
    const { laps } = timeLaps(openFixes(toLapFile(drive.fixes)), free);
    expect(laps.map((lap) => lap.status)).toEqual(laps.map(() => 'valid'));
  });

  test('is nothing else than a wrong direction in the library, where the outline says', () => {
    const line = hairpin.startFinishLine;
    const wrong: Track = { ...hairpin, startFinishLine: line && { ...line, bearingDeg: 270 } };
    const forwards = driveOf(hairpin);
    expect(matchesOf(forwards, [wrong])[0]?.confidencePct).toBeGreaterThanOrEqual(85);
    const { laps } = timeLaps(openFixes(toLapFile(forwards.fixes)), wrong);
    expect(laps.filter((lap) => lap.status === 'valid')).toHaveLength(forwards.trueLaps.length);
  });
});

describe('kart tracks side by side, 300 m from middle to middle', () => {
  const neighbours = LAYOUTS.map((track) => movedTrack(track, { x: 300, y: 0 }, `east-${track.id}`));
  const all = [...LAYOUTS, ...neighbours];

  test('are not mixed up, whichever layout is driven', () => {
    for (const [index, track] of all.entries()) {
      const rateHz = [1, 5, 10, 25][index % 4] ?? 1;
      const [best] = matchesOf(driveOf(track, { receiver: { rateHz } }), all);
      expect(best?.track.id).toBe(track.id);
      expect(best?.confidencePct).toBeGreaterThanOrEqual(85);
    }
  });

  test('are not mixed up without their outlines', () => {
    const [short] = LAYOUTS;
    const [eastern] = neighbours;
    if (short === undefined || eastern === undefined) throw new Error('There are six layouts at each.');
    const bare = [short, eastern].map((track) => ({ ...track, outline: null }));
    for (const track of [short, eastern]) {
      expect(matchesOf(driveOf(track), bare).map((match) => match.track.id)).toEqual([track.id]);
    }
  });
});

/** Returns a circuit of two straights and two bends of 160 m radius, which the car drives like any other. */
function oval(straightMeters: number): Track {
  const bend = { degrees: 180, radiusMeters: 160 };
  return trackOfPieces([{ meters: straightMeters }, bend, { meters: straightMeters }, bend], 'circuit');
}

function driveCar(track: Track): SimulatedDrive {
  return simulateDrive(track, { seed: 5, laps: 3, receiver: { rateHz: 10, ...POOR_RECEIVER } });
}

describe('an outline that cuts bends by 20 m, since it has three points in each', () => {
  const driven = oval(400);
  const fewPoints = [0, 100, 142, 184, 226, 326, 368, 410];
  const outline = driven.outline?.filter((_, index) => fewPoints.includes(index)) ?? null;
  const poor: Track = { ...driven, outline };

  test('is matched by those who drive the bends', () => {
    const drive = driveCar(driven);
    expect(matchesOf(drive, [poor])[0]?.confidencePct).toBeGreaterThanOrEqual(90);
    const { laps } = timeLaps(openFixes(toLapFile(drive.fixes)), poor);
    expect(laps.filter((lap) => lap.status === 'valid')).toHaveLength(3);
  });

  test('is not matched for sure by those who turn 80 m earlier', () => {
    const [best] = matchesOf(driveCar(oval(320)), [poor]);
    expect(best?.confidencePct ?? 0).toBeLessThan(90);
  });
});
