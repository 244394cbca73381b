import { distanceMeters, wrapDegrees } from '#engine/geo.ts';
import { simulateDrive, type DrivenFix, type SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { writeRaceChronoV3 } from '#engine/simulation/write-racechrono.ts';
import type { Track } from '#engine/track.ts';
import { getDemoTrack } from './demo-tracks.ts';
import { DEMO_ROUNDING_METERS, findVehicle } from './pace.ts';
import type { DemoFormat, DemoSession, Mishap } from './season.ts';

// Good receivers in the open have an error that drifts by some decimetres, with hardly any noise from fix to fix. More than
// five positions a second would only cost time and disk space here.
const RECEIVER = {
  rateHz: 5,
  driftMeters: 0.25,
  noiseMeters: 0.02,
  speedNoiseMetersPerSecond: 0.05,
  coordinateDecimals: 7,
  timeStampStepMs: 1,
};

/**
 * Drives a session of the demo season on its track and returns the text of its lap file. The same session gives the same text.
 */
export function driveSession(track: Track, session: DemoSession): string {
  const { car, laps, seed, styleSeed, startTimeMs, mishap, format } = session;
  const drive = simulateDrive(track, {
    seed,
    styleSeed,
    laps,
    startTimeMs,
    vehicle: findVehicle(session),
    topSpeedMetersPerSecond: car.topSpeedMetersPerSecond,
    roundingMeters: DEMO_ROUNDING_METERS,
    racingLine: { halfWidthMeters: getDemoTrack(track.id).halfWidthMeters },
    isReversed: mishap === 'wrong_way',
    receiver: RECEIVER,
  });
  const { trueLaps } = drive;
  return WRITERS[format]({ fixes: withMishap(drive, mishap), trueLaps, passages: [] }, track);
}

const WRITERS: Record<DemoFormat, (drive: SimulatedDrive, track: Track) => string> = {
  gpx: (drive) => writeGpx(drive),
  'old-gpx': (drive) => writeGpx(drive, { version: '1.0', segmentPerLap: true }),
  racechrono: (drive, track) =>
    writeRaceChronoV3(drive, { sensorRateHz: 1, hasCarChannels: false, trackName: track.name }),
  table: (drive) => writeGenericCsv(drive),
};

// The second lap has the mishap.
const MISHAP_LAP = 1;
/** A driver cuts off, or a receiver loses, these parts of the lap, as shares of its time. */
const CUT = { from: 0.3, to: 0.52 };
const LOST = { from: 0.4, to: 0.5 };

function withMishap({ fixes, trueLaps }: SimulatedDrive, mishap: Mishap | null): DrivenFix[] {
  const lap = trueLaps[MISHAP_LAP];
  if (lap === undefined || mishap === null || mishap === 'wrong_way') return fixes;
  const { from, to } = mishap === 'cut_corner' ? CUT : LOST;
  const fromMs = lap.startTimeMs + from * lap.lapTimeMs;
  const toMs = lap.startTimeMs + to * lap.lapTimeMs;
  const isWithin = ({ timeMs }: DrivenFix): boolean => timeMs >= fromMs && timeMs < toMs;
  return mishap === 'cut_corner' ? cutShort(fixes, isWithin) : fixes.filter((fix) => !isWithin(fix));
}

/** Drives straight across the infield instead of a stretch of the track, at an even speed. */
function cutShort(fixes: readonly DrivenFix[], isWithin: (fix: DrivenFix) => boolean): DrivenFix[] {
  const first = fixes.findIndex(isWithin);
  const last = fixes.findLastIndex(isWithin);
  const [from, to] = [fixes[first], fixes[last]];
  if (from === undefined || to === undefined) return [...fixes];
  const speedMetersPerSecond = (1_000 * distanceMeters(from, to)) / (to.timeMs - from.timeMs);
  return fixes.map((fix, index) => {
    if (index <= first || index >= last) return fix;
    const share = (index - first) / (last - first);
    return {
      timeMs: fix.timeMs,
      speedMetersPerSecond,
      lat: from.lat + share * (to.lat - from.lat),
      lon: wrapDegrees(from.lon + share * wrapDegrees(to.lon - from.lon)),
    };
  });
}
