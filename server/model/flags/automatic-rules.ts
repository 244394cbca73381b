import type { CarModelId, LapId } from '#contract/ids.ts';
import type { TireCompound } from '#contract/laps/labels.ts';
import type { AutomaticReason } from '#contract/moderation/labels.ts';
import { STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED } from '#engine/comparison/accelerations.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import type { LapExtremes } from '#engine/plausibility/lap-extremes.ts';
import { median } from '#engine/statistics.ts';
import { MISSED_MIN_METERS } from '#engine/validity/lap-checks.ts';
import { findCarLimits } from './car-limits.ts';

/** Every change of the rules raises this version; a background job then checks the laps of earlier versions again. */
export const RULES_VERSION = 3;

/** Holds the fields of a session's best lap that the rules compare. */
export type ComparedLap = {
  lapTimeMs: number;
  extremes: LapExtremes | null;
  tireCompound: TireCompound | null;
  carModelId: CarModelId | null;
  raceClass: string | null;
};

export type CheckedLap = ComparedLap & {
  modelKey: string | null;
  /** The recording device that the file names. */
  device: string;
  /** The name of another track on which the driver was at that time; null where there is none. */
  elsewhere: string | null;
  /** The lap ranks, but the engine warns that it misses a part of the outline. */
  missesOutline: boolean;
};

/** Holds the other laps on the track. */
export type KnownLaps = {
  /** The best laps of other drivers, one for each car and tyre compound, of all times. */
  others: readonly ComparedLap[];
  /** The best laps of the driver's earlier sessions. */
  own: readonly ComparedLap[];
  /** The recording devices of the driver's earlier sessions on all tracks. */
  ownDevices: readonly string[];
};

/** Says why a moderator should review a lap, with the figures. */
export type Doubt = {
  reason: AutomaticReason;
  /** Holds no name: `ANOTHER_DRIVER` is replaced by that of the driver of `otherLapId` when it is shown. */
  sentence: string;
  figures: Record<string, number>;
  otherLapId?: LapId;
};

type Rule = (lap: CheckedLap, known: KnownLaps) => Doubt | null;

/** Lists the doubts of all rules about a lap. Doubts reject no lap. */
export function listDoubts(lap: CheckedLap, known: KnownLaps): Doubt[] {
  return RULES.flatMap((rule) => rule(lap, known) ?? []);
}

/** Limits in g, held for a second on a road with little banking. Every limit is far above all measurements of such tyres. */
const GRIP_G_MAX: Record<TireCompound, number> = {
  'street-300': 1.45,
  'track-200': 1.6,
  rcomp: 1.85,
  'full-slick': 2.3,
};
/** Wings add this at high speed. */
const RACE_CAR_G = 2;

function gripLimitG({ tireCompound, raceClass }: ComparedLap): number {
  const hasWings = raceClass === 'Race Car' || raceClass === 'Hypercar' || raceClass === null;
  return GRIP_G_MAX[tireCompound ?? 'full-slick'] + (hasWings ? RACE_CAR_G : 0);
}

/** Formats what was found and its limit with as many decimals as tell them apart, in miles too. */
function tellApart(found: number, limit: number, decimals: number): [string, string] {
  if (found - limit < 2 * 10 ** -decimals && decimals < 6) return tellApart(found, limit, decimals + 1);
  return [found.toFixed(decimals), limit.toFixed(decimals)];
}

const checkBraking: Rule = (lap) => {
  const foundG =
    (lap.extremes?.brakingMetersPerSecondSquared ?? Number.NaN) / STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED;
  const limitG = gripLimitG(lap);
  if (!(foundG > limitG)) return null;
  const [shown, shownLimit] = tellApart(foundG, limitG, 2);
  return {
    reason: 'acceleration',
    sentence: `Brakes with ${shown} g for a second; these tires on such a car hold ${shownLimit} g at most.`,
    figures: { foundG, limitG },
  };
};

/** A banked corner allows more than the tyres, but it does so for all drivers. */
const BANKING_FACTOR = 1.25;
const BANKING_LAPS_MIN = 3;

const checkCornering: Rule = (lap, { others }) => {
  const usedShare = (one: ComparedLap) =>
    (one.extremes?.lateralMetersPerSecondSquared ?? Number.NaN) /
    STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED /
    gripLimitG(one);
  const known = others.map(usedShare).filter(Number.isFinite);
  if (known.length < BANKING_LAPS_MIN) return null;
  const [limitG, found] = [gripLimitG(lap), usedShare(lap)];
  const othersMost = Math.max(...known);
  if (!(found > Math.max(1, BANKING_FACTOR * othersMost))) return null;
  const [foundG, othersG] = [found * limitG, othersMost * limitG];
  const [shown, shownLimit] = tellApart(foundG, limitG, 2);
  return {
    reason: 'acceleration',
    sentence: `Corners with ${shown} g for a second; these tires on such a car hold ${shownLimit} g at most, and others here reach ${othersG.toFixed(2)} g.`,
    figures: { foundG, limitG, othersG },
  };
};

const checkPower: Rule = ({ extremes, modelKey, raceClass }) => {
  const found = extremes?.gainedWattsPerKilogram ?? Number.NaN;
  const limit = findCarLimits(modelKey, raceClass).gainedWattsPerKilogram;
  if (!(found > limit)) return null;
  const [shown, shownLimit] = tellApart(found, limit, 0);
  return {
    reason: 'power',
    sentence: `Gains speed with ${shown} W/kg for three seconds; this car has ${shownLimit} W/kg at most.`,
    figures: { foundWattsPerKilogram: found, limitWattsPerKilogram: limit },
  };
};

const checkTopSpeed: Rule = ({ extremes, modelKey, raceClass }) => {
  const found = 3.6 * (extremes?.topSpeedMetersPerSecond ?? Number.NaN);
  const limit = 3.6 * findCarLimits(modelKey, raceClass).topSpeedMetersPerSecond;
  if (!(found > limit)) return null;
  const [shown, shownLimit] = tellApart(found, limit, 0);
  return {
    reason: 'top_speed',
    sentence: `Drives ${shown} km/h for a second; this car reaches ${shownLimit} km/h at most.`,
    figures: { foundKmh: found, limitKmh: limit },
  };
};

/** Lap time on each compound as a share of that on the slowest. The car or the driver causes larger differences. */
const TIRE_PACE: Record<TireCompound, number> = {
  'street-300': 1,
  'track-200': 0.955,
  rcomp: 0.91,
  'full-slick': 0.86,
};

/** Converts a lap time to one on the slowest tyres, so that laps on different compounds compare. */
export function paceMs({ lapTimeMs, tireCompound }: Pick<ComparedLap, 'lapTimeMs' | 'tireCompound'>): number {
  return lapTimeMs / TIRE_PACE[tireCompound ?? 'full-slick'];
}

/** Another driver's car of the same model may be slower by this share. */
export const SAME_CAR_SHARE = 0.885;

const checkSameCar: Rule = (lap, { others }) => {
  const same = others.filter(({ carModelId }) => carModelId !== null && carModelId === lap.carModelId);
  if (same.length === 0) return null;
  const fastest = same.toSorted((a, b) => paceMs(a) - paceMs(b))[0];
  if (!fastest || paceMs(lap) >= SAME_CAR_SHARE * paceMs(fastest)) return null;
  const share = 100 * (1 - paceMs(lap) / paceMs(fastest));
  const count = same.length === 1 ? 'the only other lap' : `the fastest of ${same.length} other laps`;
  return {
    reason: 'same_car',
    sentence: `${share.toFixed(1)} % quicker than ${count} in this car model (${formatLapTime(fastest.lapTimeMs)}), tires considered.`,
    figures: { sharePct: share, otherLapTimeMs: fastest.lapTimeMs, otherCount: same.length },
  };
};

/** A driver with two sessions on a track does not improve more than this at once. */
export const JUMP_SHARE = 0.91;
const JUMP_SESSIONS_MIN = 2;
/** A slow driver who reaches the pace of the class is plausible, so only a faster lap raises a doubt. */
const CLASS_SHARE = 0.98;
const CLASS_LAPS_MIN = 3;

const checkJump: Rule = (lap, { own, others }) => {
  const before = own.filter(({ carModelId }) => carModelId === lap.carModelId).map(paceMs);
  const ofClass = others.filter(({ raceClass }) => raceClass === lap.raceClass).map(paceMs);
  if (before.length < JUMP_SESSIONS_MIN || ofClass.length < CLASS_LAPS_MIN) return null;
  const bestBefore = Math.min(...before);
  const typical = median(ofClass) ?? Number.NaN;
  if (!(paceMs(lap) < Math.min(JUMP_SHARE * bestBefore, CLASS_SHARE * typical))) return null;
  const share = 100 * (1 - paceMs(lap) / bestBefore);
  const classShare = 100 * (1 - paceMs(lap) / typical);
  return {
    reason: 'jump',
    sentence: `${share.toFixed(1)} % quicker than the driver in ${before.length} sessions before, and ${classShare.toFixed(1)} % quicker than the class usually is, tires considered.`,
    figures: { sharePct: share, classSharePct: classShare, sessionsBefore: before.length },
  };
};

/** Records improve by tenths of a second once a few drivers of a class have driven. */
export const RECORD_SHARE = 0.95;
const RECORD_LAPS_MIN = 4;

const checkRecord: Rule = (lap, { others, own }) => {
  const ofClass = others.filter(({ raceClass }) => raceClass !== null && raceClass === lap.raceClass);
  if (ofClass.length < RECORD_LAPS_MIN) return null;
  const recordMs = Math.min(...others.map(({ lapTimeMs }) => lapTimeMs), ...own.map((one) => one.lapTimeMs));
  const classPace = Math.min(...ofClass.map(paceMs));
  if (lap.lapTimeMs >= recordMs || paceMs(lap) >= RECORD_SHARE * classPace) return null;
  const share = 100 * (1 - paceMs(lap) / classPace);
  return {
    reason: 'record',
    sentence: `A record by ${((recordMs - lap.lapTimeMs) / 1000).toFixed(3)} s, and ${share.toFixed(1)} % quicker than the best of ${ofClass.length} other laps of its class, tires considered.`,
    figures: { marginMs: recordMs - lap.lapTimeMs, sharePct: share, classLaps: ofClass.length },
  };
};

const DEVICE_SESSIONS_MIN = 4;
/** A new device raises a doubt only with a faster lap. */
export const DEVICE_SHARE = 0.97;

const checkDevice: Rule = (lap, { own, ownDevices }) => {
  const devices = new Set(ownDevices);
  if (ownDevices.length < DEVICE_SESSIONS_MIN || devices.size !== 1 || devices.has(lap.device)) return null;
  const before = own.map(paceMs);
  if (before.length === 0 || paceMs(lap) >= DEVICE_SHARE * Math.min(...before)) return null;
  const share = 100 * (1 - paceMs(lap) / Math.min(...before));
  return {
    reason: 'device',
    sentence: `Recorded with ${lap.device}; all ${ownDevices.length} sessions before with ${ownDevices[0]}. And ${share.toFixed(1)} % quicker than the driver was.`,
    figures: { sessionsBefore: ownDevices.length, sharePct: share },
  };
};

const checkElsewhere: Rule = ({ elsewhere }) =>
  elsewhere === null
    ? null
    : {
        reason: 'elsewhere',
        sentence: `By another lap file, its driver drove at ${elsewhere} at that time.`,
        figures: {},
      };

/** The outline may be wrong, so the lap ranks until a moderator has decided. */
const checkLayout: Rule = ({ missesOutline }) =>
  missesOutline
    ? {
        reason: 'layout',
        sentence: `Leaves out at least ${MISSED_MIN_METERS} m of the track's outline in one stretch: a shorter layout, a cut corner, or a wrong outline.`,
        figures: { missedMinMeters: MISSED_MIN_METERS },
      }
    : null;

const RULES: readonly Rule[] = [
  checkBraking,
  checkCornering,
  checkPower,
  checkTopSpeed,
  checkSameCar,
  checkJump,
  checkRecord,
  checkDevice,
  checkElsewhere,
  checkLayout,
];
