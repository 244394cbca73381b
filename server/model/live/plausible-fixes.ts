import { LIVE_LIMITS } from '#contract/live/labels.ts';
import type { LiveFix } from '#contract/live/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { METERS_PER_DEGREE, planeAround, toPlane } from '#engine/geo.ts';
import { AppError } from '#server/kernel/errors.ts';

// The longest circuits reach 12 km from their centre; trailers stand near them.
const FROM_TRACK_MAX_METERS = 30_000;
// Receivers give 50 fixes a second at most.
const BETWEEN_FIXES_MIN_MS = 15;

/**
 * Returns the fixes that are new, without those that a car cannot have driven to.
 * @throws AppError `invalid_input` for fixes out of order, of another time or far from the track
 */
export function choosePlausible(sent: readonly LiveFix[], track: Track, lastFixAtMs: number): LiveFix[] {
  checkFixes(sent, track);
  const oldestMs = Date.now() - LIVE_LIMITS.fixAgeMaxMs - LIVE_LIMITS.clockErrorMaxMs;
  const chosen: LiveFix[] = [];
  for (const fix of sent) {
    const before = chosen.at(-1);
    if (fix[0] <= lastFixAtMs || fix[0] < oldestMs) continue;
    if (before && !isReachable(before, fix)) continue;
    chosen.push(fix);
  }
  return chosen;
}

function checkFixes(sent: readonly LiveFix[], track: Track): void {
  const latestMs = Date.now() + LIVE_LIMITS.clockErrorMaxMs;
  let beforeMs = -Infinity;
  for (const [at, lat, lon] of sent) {
    if (at <= beforeMs) throw wrongFixes('The fixes are not in order.');
    if (at > latestMs) throw wrongFixes('The clock of the receiver is ahead of ours.');
    if (metersFromTrack(track, lat, lon) > FROM_TRACK_MAX_METERS)
      throw wrongFixes('The fixes are not at the track of this live session.');
    beforeMs = at;
  }
}

function wrongFixes(sentence: string): AppError {
  return new AppError('invalid_input', sentence, { fields: { fixes: sentence } });
}

function metersFromTrack({ centerLat, centerLon }: Track, lat: number, lon: number): number {
  const { x, y } = toPlane(planeAround({ lat: centerLat, lon: centerLon }), { lat, lon });
  return Math.hypot(x, y);
}

function isReachable([fromAt, fromLat, fromLon]: LiveFix, [at, lat, lon]: LiveFix): boolean {
  const north = (lat - fromLat) * METERS_PER_DEGREE;
  const east = (lon - fromLon) * METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  const passedMs = at - fromAt;
  const reachMeters = (LIVE_LIMITS.speedMaxMetersPerSecond * passedMs) / 1000;
  return passedMs >= BETWEEN_FIXES_MIN_MS && Math.hypot(north, east) <= reachMeters;
}
