import type { EvidenceCurve, LapEvidenceOfFlag } from '#contract/moderation/evidence.ts';
import type { AnyFlagReason } from '#contract/moderation/labels.ts';
import { STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED } from '#engine/comparison/accelerations.ts';
import type { LapId } from '#contract/ids.ts';
import type { MeasuredQuantity } from '#engine/plausibility/lap-curve.ts';
import { paceMs } from '#server/model/flags/automatic-rules.ts';
import { readMeasure } from '#server/model/flags/read-measure.ts';
import type { listFlags } from '#server/model/flags/flag-store.ts';
import type { StoredLap } from '#server/model/laps/lap-view-store.ts';
import type { KnownLap } from './evidence-store.ts';

export type ShownFlag = Pick<
  Awaited<ReturnType<typeof listFlags>>[number],
  'reason' | 'figures' | 'otherLapId'
>;

type MeantLap = LapEvidenceOfFlag['laps'][number];
type Groups = LapEvidenceOfFlag['groups'];

/** Returns the quantity that a reason is about; null for reasons without a curve. */
export function findQuantity(
  flag: ShownFlag,
  measure: ReturnType<typeof readMeasure>,
): EvidenceCurve['quantity'] | null {
  if (flag.reason === 'layout') return 'outline';
  const quantity = measure?.quantity;
  return quantity === 'pace' || quantity === 'likeness' || quantity === undefined ? null : quantity;
}

/** Returns the laps of other drivers that a quantity is compared with: on the same tires, or in the same class; none along an outline. */
export function listPeers(
  lap: StoredLap,
  others: readonly KnownLap[],
  quantity: EvidenceCurve['quantity'] | null,
): readonly KnownLap[] {
  if (quantity === null || quantity === 'outline') return [];
  const isByTires = quantity === 'cornering' || quantity === 'braking';
  return others.filter((other) =>
    isByTires ? other.tireCompound === lap.tireCompound : other.raceClass === lap.carRaceClass,
  );
}

/** Returns what a lap reaches of a quantity, by the figures of its check; null where they are not known. */
export function readExtreme({ extremes }: KnownLap, quantity: MeasuredQuantity): number | null {
  if (!extremes) return null;
  const read: Record<MeasuredQuantity, () => number | null> = {
    cornering: () => inG(extremes.lateralMetersPerSecondSquared),
    braking: () => inG(extremes.brakingMetersPerSecondSquared),
    power: () => extremes.gainedWattsPerKilogram,
    speed: () => (extremes.topSpeedMetersPerSecond === null ? null : 3.6 * extremes.topSpeedMetersPerSecond),
  };
  return read[quantity]();
}

/** Converts m/s² to g. */
function inG(value: number | null): number | null {
  return value === null ? null : value / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED;
}

/** Finds the peer that reaches the most of a quantity; undefined along an outline and without a quantity. */
export function findMost(
  peers: readonly KnownLap[],
  quantity: EvidenceCurve['quantity'] | null,
): { lap: KnownLap; figure: number } | undefined {
  if (quantity === null || quantity === 'outline') return undefined;
  const found = peers.flatMap((lap) => {
    const figure = readExtreme(lap, quantity);
    return figure === null ? [] : [{ lap, figure }];
  });
  return found.toSorted((a, b) => b.figure - a.figure)[0];
}

/** Groups the known laps by how near they are to the flagged one; the group that the reason means has its limit. */
export function groupLaps(lap: StoredLap, known: readonly KnownLap[], flag: ShownFlag): Groups {
  const others = known.filter(({ driverId }) => driverId !== lap.driverId);
  const limits = findLimit(lap, flag);
  const group = (scope: Groups[number]['scope'], laps: readonly KnownLap[]): Groups => {
    const timesMs = laps.map(({ lapTimeMs }) => lapTimeMs).toSorted((a, b) => a - b);
    const limitMs = limits?.scope === scope ? limits.limitMs : null;
    return timesMs.length === 0 ? [] : [{ scope, limitMs, timesMs }];
  };
  return [
    ...group(
      'driver',
      known.filter(({ driverId }) => driverId === lap.driverId),
    ),
    ...group(
      'car',
      others.filter(({ carModelId }) => carModelId !== null && carModelId === lap.carModelId),
    ),
    ...group(
      'class',
      others.filter(({ raceClass }) => raceClass !== null && raceClass === lap.carRaceClass),
    ),
    ...group('all', others),
  ];
}

const SCOPES: Partial<Record<AnyFlagReason, 'car' | 'driver' | 'class'>> = {
  same_car: 'car',
  jump: 'driver',
  device: 'driver',
  record: 'class',
};

/** Finds the lap time below which the check of a reason doubts this lap, on its tires. */
function findLimit({ lapTimeMs }: StoredLap, { reason, figures }: ShownFlag) {
  const scope = SCOPES[reason];
  const measure = readMeasure(reason, toFigures(figures));
  if (!scope || measure?.quantity !== 'pace') return null;
  return { scope, limitMs: Math.round((lapTimeMs * (100 - measure.limit)) / (100 - measure.found)) };
}

/** Reads stored figures; anything else is none. */
export function toFigures(figures: unknown): Record<string, unknown> | null {
  return typeof figures === 'object' && figures !== null ? { ...figures } : null;
}

type NamedLap = Pick<KnownLap, 'lapId' | 'lapTimeMs' | 'userName' | 'sessionDate'>;

type Meant = {
  flag: ShownFlag;
  most: ReturnType<typeof findMost>;
  /** The lap whose positions the flagged one has. */
  copied: NamedLap | undefined;
};

/** Lists the laps that the reason compares with, and the fastest other lap on such tires. */
export function listMeantLaps(
  lap: StoredLap,
  known: readonly KnownLap[],
  { flag, most, copied }: Meant,
): MeantLap[] {
  const meant: MeantLap[] = [];
  if (most) meant.push(toMeant('most', most.lap, most.figure));
  const scope = SCOPES[flag.reason];
  const inScope = scope && findFastest(listInScope(lap, known, scope));
  if (scope && inScope) meant.push(toMeant(scope, inScope));
  if (copied) meant.push(toMeant('copied', copied));
  const onTires = known.filter(
    (other) => other.driverId !== lap.driverId && other.tireCompound === lap.tireCompound,
  );
  const fastest = onTires.toSorted((a, b) => a.lapTimeMs - b.lapTimeMs)[0];
  if (fastest && lap.tireCompound !== null) meant.push(toMeant('tires', fastest));
  const seen = new Set<LapId>();
  return meant.filter(({ lapId }) => !seen.has(lapId) && seen.add(lapId));
}

function listInScope(
  lap: StoredLap,
  known: readonly KnownLap[],
  scope: 'car' | 'driver' | 'class',
): KnownLap[] {
  return known.filter((other) => {
    const isOwn = other.driverId === lap.driverId;
    if (scope === 'driver') return isOwn && other.isBefore;
    if (isOwn) return false;
    return scope === 'car' ? other.carModelId === lap.carModelId : other.raceClass === lap.carRaceClass;
  });
}

/** Finds the fastest lap, tires considered, as the rules do. */
function findFastest(laps: readonly KnownLap[]): KnownLap | undefined {
  return laps.toSorted((a, b) => paceMs(a) - paceMs(b))[0];
}

function toMeant(
  role: MeantLap['role'],
  { lapId, lapTimeMs, userName, sessionDate }: NamedLap,
  figure: number | null = null,
): MeantLap {
  return { role, lapId, lapTimeMs, userName, sessionDate, figure };
}
