import { distanceMeters, planeAround, toPlane, toPosition, type PlanePoint } from '../geo.ts';
import type { DrivenFix, SimulatedDrive } from '../simulation/drive.ts';

/** A drive that somebody has made quicker than it was. */
export type Tampered = {
  fixes: DrivenFix[];
  /** A moment in the lap that is not what it seems, on the clock of `fixes`; null where it is every lap. */
  momentMs: number | null;
};

/** The tampering changes this lap. */
const LAP = 2;

function findSpan({ trueLaps }: SimulatedDrive): { startMs: number; lapTimeMs: number } {
  const lap = trueLaps[LAP];
  if (lap === undefined) throw new Error('The drive needs three laps.');
  return { startMs: lap.startTimeMs, lapTimeMs: lap.lapTimeMs };
}

/** Returns moments in a lap by their share of its time: 0 at its start, 1 at its end. */
function shareBetween(drive: SimulatedDrive): (timeMs: number) => number {
  const { startMs, lapTimeMs } = findSpan(drive);
  return (timeMs) => (timeMs - startMs) / lapTimeMs;
}

function momentAt(drive: SimulatedDrive, share: number): number {
  const { startMs, lapTimeMs } = findSpan(drive);
  return startMs + share * lapTimeMs;
}

/** Returns the fix at another time: its distance in time from `startMs`, times `factor`. */
export function later(fix: DrivenFix, startMs: number, factor: number): DrivenFix {
  return { ...fix, timeMs: startMs + factor * (fix.timeMs - startMs) };
}

/** Returns the fix with its speed times `factor`. */
export function quicker(fix: DrivenFix, factor: number): DrivenFix {
  return { ...fix, speedMetersPerSecond: factor * fix.speedMetersPerSecond };
}

/** A drive with every fix changed, given the time of the first; no single moment was tampered with. */
export function everywhere(
  { fixes }: SimulatedDrive,
  change: (fix: DrivenFix, startMs: number) => DrivenFix,
): Tampered {
  const startMs = fixes[0]?.timeMs ?? 0;
  return { fixes: fixes.map((fix) => change(fix, startMs)), momentMs: null };
}

/** A drive with its fixes changed by how much of the tampered lap is behind them: 0 at its start, 1 at its end, beyond outside. */
export function inLap(drive: SimulatedDrive, change: (fix: DrivenFix, share: number) => DrivenFix): Tampered {
  const share = shareBetween(drive);
  return {
    fixes: drive.fixes.map((fix) => change(fix, share(fix.timeMs))),
    momentMs: momentAt(drive, 0.5),
  };
}

/** A drive with only those fixes whose share of the tampered lap is to be kept; a hole stays where others were. */
export function within(drive: SimulatedDrive, isKept: (share: number) => boolean): Tampered {
  const share = shareBetween(drive);
  return { fixes: drive.fixes.filter((fix) => isKept(share(fix.timeMs))), momentMs: momentAt(drive, 0.5) };
}

/** Cuts so much time out of the middle of the tampered lap, as `removed` does. */
export function shortened(drive: SimulatedDrive, byMs: number): Tampered {
  return removed(drive, { from: 0.4, to: 0.4 + byMs / findSpan(drive).lapTimeMs });
}

/** Cuts a stretch out of the tampered lap, and moves what follows up so that no gap shows. */
export function removed(drive: SimulatedDrive, { from, to }: { from: number; to: number }): Tampered {
  const share = shareBetween(drive);
  const kept = drive.fixes.filter((fix) => share(fix.timeMs) < from || share(fix.timeMs) >= to);
  const gone = drive.fixes.length - kept.length;
  const goneMs = gone * findInterval(drive.fixes);
  return {
    fixes: kept.map((fix) => (share(fix.timeMs) < from ? fix : { ...fix, timeMs: fix.timeMs - goneMs })),
    momentMs: momentAt(drive, from / 2),
  };
}

function findInterval(fixes: readonly DrivenFix[]): number {
  return ((fixes.at(-1)?.timeMs ?? 0) - (fixes[0]?.timeMs ?? 0)) / (fixes.length - 1);
}

/** Drives the tampered lap in less time, with speeds times `speedFactor`; what follows is moved up. */
export function lapCompressed(drive: SimulatedDrive, factor: number, speedFactor: number): Tampered {
  const { startMs, lapTimeMs } = findSpan(drive);
  const savedMs = (1 - factor) * lapTimeMs;
  return inLap(drive, (fix, share) => {
    if (share < 0) return fix;
    return share > 1
      ? { ...fix, timeMs: fix.timeMs - savedMs }
      : quicker(later(fix, startMs, factor), speedFactor);
  });
}

/** Puts the clock on by `byMs` from the middle of the tampered lap. */
export function shifted(drive: SimulatedDrive, byMs: number): Tampered {
  return inLap(drive, (fix, share) => (share < 0.5 ? fix : { ...fix, timeMs: fix.timeMs + byMs }));
}

function betweenShares(drive: SimulatedDrive, from: number, to: number): DrivenFix[] {
  const share = shareBetween(drive);
  return drive.fixes.filter((fix) => share(fix.timeMs) >= from && share(fix.timeMs) < to);
}

function moved(fixes: readonly DrivenFix[], toMs: number): DrivenFix[] {
  const fromMs = fixes[0]?.timeMs ?? 0;
  return fixes.map((fix) => ({ ...fix, timeMs: fix.timeMs - fromMs + toMs }));
}

/** Puts a stretch that bends onto the straight line between its ends, as if the car had driven there. */
export function cornerCut(drive: SimulatedDrive, width: number): Tampered {
  const stretches = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].map((from) =>
    betweenShares(drive, from, from + width),
  );
  const sharpest = stretches.reduce((best, stretch) =>
    straightness(stretch) < straightness(best) ? stretch : best,
  );
  return { fixes: onStraightLine(drive.fixes, sharpest), momentMs: momentAt(drive, 0.4) };
}

/** The distance between the ends of a stretch over the path between them. */
function straightness(stretch: readonly DrivenFix[]): number {
  const [from, to] = [stretch[0], stretch.at(-1)];
  if (from === undefined || to === undefined) return 1;
  const pathMeters = stretch.reduce(
    (sum, fix, index) => sum + distanceMeters(stretch[index - 1] ?? fix, fix),
    0,
  );
  return distanceMeters(from, to) / pathMeters;
}

function onStraightLine(fixes: readonly DrivenFix[], stretch: readonly DrivenFix[]): DrivenFix[] {
  const [from, to] = [stretch[0], stretch.at(-1)];
  if (from === undefined || to === undefined) throw new Error('The stretch has no fixes.');
  const numbers = new Map(stretch.map((fix, index) => [fix, index / (stretch.length - 1)]));
  return fixes.map((fix) => {
    const share = numbers.get(fix);
    if (share === undefined) return fix;
    return {
      ...fix,
      lat: from.lat + share * (to.lat - from.lat),
      lon: from.lon + share * (to.lon - from.lon),
    };
  });
}

/** Fills a stretch with a straight line at even speed, as somebody fills a hole in a recording by hand. */
export function filledIn(drive: SimulatedDrive): Tampered {
  const stretch = betweenShares(drive, 0.2, 0.24);
  const filled = onStraightLine(drive.fixes, stretch);
  const [from, to] = [stretch[0], stretch.at(-1)];
  const plane = planeAround(from ?? { lat: 0, lon: 0 });
  const end = toPlane(plane, to ?? { lat: 0, lon: 0 });
  const seconds = ((to?.timeMs ?? 0) - (from?.timeMs ?? 0)) / 1000;
  const times = new Set(stretch.map((fix) => fix.timeMs));
  const speedMetersPerSecond = Math.hypot(end.x, end.y) / seconds;
  return {
    fixes: filled.map((fix) => (times.has(fix.timeMs) ? { ...fix, speedMetersPerSecond } : fix)),
    momentMs: momentAt(drive, 0.5),
  };
}

/** Replaces this lap's second half by that of the lap before. */
export function spliced(drive: SimulatedDrive): Tampered {
  const head = betweenShares(drive, Number.NEGATIVE_INFINITY, 0.5);
  const tail = betweenShares(drive, 0.5, Number.POSITIVE_INFINITY);
  const joint = tail[0];
  const [before] = [drive.trueLaps[LAP - 1]];
  if (joint === undefined || before === undefined) throw new Error('The drive needs three laps.');
  const share = shareBetween(drive);
  const half = drive.fixes.filter(
    (fix) => fix.timeMs >= before.startTimeMs + before.lapTimeMs / 2 && share(fix.timeMs) < 0,
  );
  const copy = moved(half, joint.timeMs);
  const rest = tail.filter((fix) => share(fix.timeMs) >= 1);
  return {
    fixes: [...head, ...copy, ...moved(rest, (copy.at(-1)?.timeMs ?? 0) + findInterval(drive.fixes))],
    momentMs: momentAt(drive, 0.5),
  };
}

/** Replaces a corner of the tampered lap by that of another drive, joined so that `gainMs` are gained; what follows is moved up. */
export function cornerReplaced(drive: SimulatedDrive, other: SimulatedDrive, gainMs: number): Tampered {
  const head = betweenShares(drive, Number.NEGATIVE_INFINITY, 0.4);
  const tail = betweenShares(drive, 0.46, Number.POSITIVE_INFINITY);
  const intervalMs = findInterval(drive.fixes);
  const corner = otherFixesBetween(other, head.at(-1), tail[0]).slice(
    1 + Math.round(gainMs / intervalMs),
    -1,
  );
  const placed = moved(corner, (head.at(-1)?.timeMs ?? 0) + intervalMs);
  return {
    fixes: [...head, ...placed, ...moved(tail, (placed.at(-1)?.timeMs ?? 0) + intervalMs)],
    momentMs: momentAt(drive, 0.4),
  };
}

/** Returns the fixes of a lap from where it comes nearest to one position to where it comes nearest to another. */
function otherFixesBetween(
  other: SimulatedDrive,
  from: DrivenFix | undefined,
  to: DrivenFix | undefined,
): DrivenFix[] {
  const candidates = betweenShares(other, 0.2, 0.7);
  const nearest = (place: DrivenFix | undefined): number => {
    if (place === undefined) throw new Error('The drive is too short.');
    const meters = candidates.map((fix) => distanceMeters(place, fix));
    return meters.indexOf(Math.min(...meters));
  };
  return candidates.slice(nearest(from), nearest(to) + 1);
}

/** Writes a drive at the even times of the original again, as the positions and speeds between its fixes were. */
export function resampled(original: SimulatedDrive, { fixes, momentMs }: Tampered): Tampered {
  const intervalMs = findInterval(original.fixes);
  const startMs = fixes[0]?.timeMs ?? 0;
  const count = Math.floor(((fixes.at(-1)?.timeMs ?? 0) - startMs) / intervalMs);
  let before = 0;
  const rows = Array.from({ length: count }, (_, row): DrivenFix | undefined => {
    const timeMs = startMs + row * intervalMs;
    while ((fixes[before + 1]?.timeMs ?? Number.POSITIVE_INFINITY) <= timeMs) before += 1;
    const [from, to] = [fixes[before], fixes[before + 1]];
    if (from === undefined || to === undefined) return from;
    const share = (timeMs - from.timeMs) / (to.timeMs - from.timeMs);
    const between = (one: number, next: number): number => one + share * (next - one);
    return {
      ...from,
      timeMs,
      lat: between(from.lat, to.lat),
      lon: between(from.lon, to.lon),
      speedMetersPerSecond: between(from.speedMetersPerSecond, to.speedMetersPerSecond),
    };
  });
  return { fixes: rows.filter((fix) => fix !== undefined), momentMs };
}

/** Repeats the tampered lap right after itself. */
export function duplicated(drive: SimulatedDrive): Tampered {
  const head = betweenShares(drive, Number.NEGATIVE_INFINITY, 1);
  const copy = moved(betweenShares(drive, 0, 1), (head.at(-1)?.timeMs ?? 0) + findInterval(drive.fixes));
  const rest = betweenShares(drive, 1, Number.POSITIVE_INFINITY);
  return {
    fixes: [...head, ...copy, ...moved(rest, (copy.at(-1)?.timeMs ?? 0) + findInterval(drive.fixes))],
    momentMs: momentAt(drive, 1.5),
  };
}

/** Replaces the drive from the middle of the lap on by another drive, where that came by at the same place. */
export function stitched(drive: SimulatedDrive, other: SimulatedDrive): Tampered {
  const head = betweenShares(drive, Number.NEGATIVE_INFINITY, 0.45);
  const last = head.at(-1);
  if (last === undefined) throw new Error('The drive begins too late.');
  const share = shareBetween(other);
  const distance = (fix: DrivenFix): number => distanceMeters(last, fix);
  const candidates = other.fixes.filter((fix) => share(fix.timeMs) > 0.2 && share(fix.timeMs) < 0.7);
  const nearest = candidates.reduce((best, fix) => (distance(fix) < distance(best) ? fix : best));
  // A forger does not hit the exact row: five rows too late make the lap quicker.
  const from = other.fixes.indexOf(nearest) + 5;
  return {
    fixes: [...head, ...moved(other.fixes.slice(from), last.timeMs + findInterval(drive.fixes))],
    momentMs: momentAt(drive, 0.4),
  };
}

/** Moves all positions towards the middle of the drive by `factor`, so that the track is smaller than it is. */
export function scaled({ fixes }: SimulatedDrive, factor: number): Tampered {
  const plane = planeAround(fixes[0] ?? { lat: 0, lon: 0 });
  const points = fixes.map((fix) => toPlane(plane, fix));
  const middle: PlanePoint = {
    x: points.reduce((sum, point) => sum + point.x, 0) / points.length,
    y: points.reduce((sum, point) => sum + point.y, 0) / points.length,
  };
  return {
    fixes: fixes.map((fix) => {
      const point = toPlane(plane, fix);
      return {
        ...fix,
        ...toPosition(plane, {
          x: middle.x + factor * (point.x - middle.x),
          y: middle.y + factor * (point.y - middle.y),
        }),
      };
    }),
    momentMs: null,
  };
}

/** Returns fixes with even times in the rhythm of the original, from the time of the first. */
export function evenly(original: readonly DrivenFix[], fixes: readonly DrivenFix[]): DrivenFix[] {
  const startMs = fixes[0]?.timeMs ?? 0;
  return fixes.map((fix, index) => ({ ...fix, timeMs: startMs + index * findInterval(original) }));
}

/** Drives back over the line some seconds after it and forth again; the rest of the lap is left out. */
export function loopedBack(drive: SimulatedDrive): Tampered {
  const head = betweenShares(drive, Number.NEGATIVE_INFINITY, 0.1);
  const back = head.filter((fix) => fix.timeMs >= momentAt(drive, -0.1)).toReversed();
  const rest = [...head, ...back, ...back.toReversed(), ...betweenShares(drive, 0.1, 0.2)];
  return { fixes: evenly(drive.fixes, rest), momentMs: momentAt(drive, 0.1) };
}
