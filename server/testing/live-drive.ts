import type { LiveFix } from '#contract/live/schemas.ts';
import { simulateDrive, type SimulatedDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import type { Track } from '#engine/track.ts';

// Simulated fixes as a phone sends them, of a drive that ends now.

export type LiveDrive = Pick<SimulatedDrive, 'trueLaps'> & {
  fixes: LiveFix[];
  /** Lists the fixes of each second. */
  batches: LiveFix[][];
};

export type LiveDriveOptions = {
  track?: Track;
  seed: number;
  laps: number;
  styleSeed?: number;
  topSpeedMetersPerSecond?: number;
  rateHz?: number;
};

/** Drives on the kart track, unless another one is given. */
export function driveLive({ track = KART_TRACK, rateHz = 10, ...options }: LiveDriveOptions): LiveDrive {
  const around = { leadInMeters: 60, leadOutMeters: 60 };
  const drive = simulateDrive(track, { ...options, ...around, startTimeMs: 0, receiver: { rateHz } });
  const shiftMs = Date.now() - (drive.fixes.at(-1)?.timeMs ?? 0);
  const fixes = drive.fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }): LiveFix => [
    timeMs + shiftMs,
    lat,
    lon,
    speedMetersPerSecond,
    null,
  ]);
  const trueLaps = drive.trueLaps.map((lap) => ({ ...lap, startTimeMs: lap.startTimeMs + shiftMs }));
  const batches = Array.from({ length: Math.ceil(fixes.length / rateHz) }, (_, second) =>
    fixes.slice(second * rateHz, (second + 1) * rateHz),
  );
  return { trueLaps, fixes, batches };
}
