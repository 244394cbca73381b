import type { EvidenceCurve, LapEvidenceOfFlag } from '#contract/moderation/evidence.ts';
import { findCornersOfTrack } from '#engine/comparison/corners-of-track.ts';
import type { TracedLap } from '#engine/comparison/lap-trace.ts';
import { decodeReferenceLine } from '#engine/comparison/reference-line.ts';
import { buildCenterLine } from '#engine/center-line.ts';
import { at, type FixColumns } from '#engine/fix-columns.ts';
import { distanceMeters } from '#engine/geo.ts';
import { fixesOfLap } from '#engine/plausibility/lap-extremes.ts';
import { followOutline, followQuantity, type LapCurve, thinCurve } from '#engine/plausibility/lap-curve.ts';
import type { Track } from '#engine/track.ts';

type Path = NonNullable<LapEvidenceOfFlag['path']>;
type Drawn = Pick<LapEvidenceOfFlag, 'curve' | 'path' | 'place' | 'closeUp'>;

export type DrawnFlag = {
  traced: TracedLap;
  others: readonly TracedLap[];
  quantity: EvidenceCurve['quantity'] | null;
  limit: number | null;
  othersMost: number | null;
  /** Returns the corner at a share of the way around. */
  findCorner: (share: number) => number | null;
};

/** Enough for a chart as wide as a desk shows. */
const STATIONS = 400;

/** Draws the way of a lap, and along it the quantity that the flag means. */
export function drawEvidence(drawn: DrawnFlag, track: Track): Drawn {
  const { traced, quantity } = drawn;
  const speed = followQuantity(traced, 'speed');
  const { lats, lons } = thinCurve(speed, STATIONS);
  const path = roundPath({ lats, lons });
  const nothing = { curve: null, path, place: null, closeUp: null };
  if (quantity === null) return nothing;
  if (quantity === 'outline') {
    const line = buildCenterLine(track);
    if (!line) return nothing;
    const followed = followOutline(traced, line);
    const curve = toCurve(drawn, { followed, limit: followed.limit, quantity, seconds: null });
    return { ...nothing, curve, place: pickPlace(followed) };
  }
  const followed = followQuantity(traced, quantity);
  const fixes = fixesOfLap(traced.trace.fixes, traced.lap);
  const { first, last } = followed.held;
  const seconds = last > first ? (at(fixes.timesMs, last) - at(fixes.timesMs, first)) / 1_000 : 0;
  const curve = toCurve(drawn, { followed, limit: drawn.limit ?? 0, quantity, seconds });
  const speedsKmh = thinCurve(speed, STATIONS).values.map(round(1));
  const others = drawOthers(drawn.others, quantity);
  const middle = Math.max(0, Math.round((first + last) / 2));
  const held = curve.held && { ...curve.held, speedKmh: round(0)(at(speed.values, middle)) };
  return {
    curve: { ...curve, held, speedsKmh, others },
    path,
    place: pickPlace(followed),
    closeUp: last < first ? null : drawCloseUp(traced, fixes, followed, drawn.others),
  };
}

type Followed = {
  followed: LapCurve;
  limit: number;
  quantity: EvidenceCurve['quantity'];
  seconds: number | null;
};

function toCurve(
  { othersMost, findCorner }: DrawnFlag,
  { followed, limit, quantity, seconds }: Followed,
): EvidenceCurve {
  const { meters, values } = thinCurve(followed, STATIONS);
  const total = meters.at(-1) ?? 0;
  const { first, last, value } = followed.held;
  const stationOf = (row: number) => Math.round(((STATIONS - 1) * at(followed.meters, row)) / total);
  const atMeters = at(followed.meters, Math.round((first + last) / 2));
  return {
    quantity,
    limit,
    othersMost,
    meters: meters.map((value) => Math.round(value)),
    values: values.map(round(3)),
    speedsKmh: null,
    others: null,
    held:
      last < first
        ? null
        : {
            from: stationOf(first),
            to: stationOf(last),
            value,
            seconds,
            atMeters: Math.round(atMeters),
            speedKmh: null,
            cornerNumber: findCorner(atMeters / total),
          },
  };
}

/** Returns between what values the others are at each share of their way. */
function drawOthers(
  others: readonly TracedLap[],
  quantity: Exclude<EvidenceCurve['quantity'], 'outline'>,
): EvidenceCurve['others'] {
  if (others.length === 0) return null;
  const curves = others.map((other) => thinCurve(followQuantity(other, quantity), STATIONS).values);
  const pick = (choose: (...values: number[]) => number) =>
    Array.from({ length: STATIONS }, (_, station) => {
      const values = curves.flatMap((curve) => curve[station] ?? []);
      return values.length === 0 ? null : round(3)(choose(...values));
    });
  return { count: others.length, low: pick(Math.min), high: pick(Math.max) };
}

function pickPlace({ lats, lons, held: { first, last } }: LapCurve): Path | null {
  if (last < first) return null;
  return roundPath({
    lats: Array.from(lats.slice(first, last + 1)),
    lons: Array.from(lons.slice(first, last + 1)),
  });
}

/** The close-up shows this much of the lap before the place and after it. */
const AROUND_MS = 2_500;
/** Others are drawn where they are no farther from the place. */
const AROUND_METERS = 120;

function drawCloseUp(
  { trace }: TracedLap,
  fixes: FixColumns,
  { held: { first, last } }: LapCurve,
  others: readonly TracedLap[],
): LapEvidenceOfFlag['closeUp'] {
  const [from, to] = [at(fixes.timesMs, first) - AROUND_MS, at(fixes.timesMs, last) + AROUND_MS];
  const middle = Math.round((first + last) / 2);
  const center = { lat: at(fixes.lats, middle), lon: at(fixes.lons, middle) };
  return {
    fixesPerSecond: round(1)(1_000 / (trace.intervalMs ?? Number.NaN)),
    lap: pickRows(fixes, (row) => at(fixes.timesMs, row) >= from && at(fixes.timesMs, row) <= to),
    others: others.map((other) => {
      const near = fixesOfLap(other.trace.fixes, other.lap);
      const positionOf = (row: number) => ({ lat: at(near.lats, row), lon: at(near.lons, row) });
      return pickRows(near, (row) => distanceMeters(center, positionOf(row)) <= AROUND_METERS);
    }),
  };
}

function pickRows({ lats, lons, length }: FixColumns, isPicked: (row: number) => boolean): Path {
  const rows = Array.from({ length }, (_, row) => row).filter(isPicked);
  return roundPath({ lats: rows.map((row) => at(lats, row)), lons: rows.map((row) => at(lons, row)) });
}

/** Rounds positions to a decimetre. */
function roundPath({ lats, lons }: Path): Path {
  return {
    lats: lats.map((value) => Number(value.toFixed(6))),
    lons: lons.map((value) => Number(value.toFixed(6))),
  };
}

/** Rounds to some decimals; null where there is no number. */
function round(decimals: number) {
  return (value: number | null): number | null =>
    value === null || !Number.isFinite(value) ? null : Number(value.toFixed(decimals));
}

/** Returns a function that finds the number of the corner at a share of the way along a track's stored line. */
export function numberCorners(line: Uint8Array | null, track: Track): (share: number) => number | null {
  const decoded = line && decodeReferenceLine(line);
  if (!decoded) return () => null;
  const corners = findCornersOfTrack(decoded, track);
  const length = decoded.endMeters - decoded.startMeters;
  return (share) => {
    const meters = share * length;
    const corner = corners.find(({ startMeters, endMeters }) => startMeters <= meters && meters <= endMeters);
    return corner?.number ?? null;
  };
}
