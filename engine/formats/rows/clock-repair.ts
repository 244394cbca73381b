import { at, type FixColumns } from '../../fix-columns.ts';
import { lonDifference, roughDistanceMeters } from '../../geo.ts';
import { type Clock, UnreadableLapFileError } from '../../lap-file.ts';
import { median } from '../../statistics.ts';

/**
 * Puts the times of a recording on one clock that runs on, in place: in milliseconds, whatever their unit was said to be, and across
 * midnight or the end of a GPS week. Throws UnreadableLapFileError where no unit makes the times fit the positions.
 */
export function repairClock(fixes: FixColumns, clock: Clock): void {
  const factor = findUnitFactor(fixes);
  if (factor === null) {
    throw new UnreadableLapFileError(
      'This file has times that do not fit its positions, in whichever unit; check the unit of its time column.',
    );
  }
  if (factor !== 1) {
    const firstMs = at(fixes.timesMs, 0);
    for (let index = 0; index < fixes.length; index++)
      fixes.timesMs[index] = firstMs + factor * (at(fixes.timesMs, index) - firstMs);
  }
  unwrapPeriods(fixes, clock);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Clocks begin again after these times: the time of day, with a clock of twelve hours or a date that is not that of the
 * row; the seconds of the GPS week; a processor's counter of 32 bits, in microseconds or milliseconds.
 */
const PERIODS_MS = [DAY_MS, DAY_MS / 2, 7 * DAY_MS, 2 ** 32 / 1000, 2 ** 32];
const SHORTEST_PERIOD_MS = Math.min(...PERIODS_MS);

// A recording may pause around midnight, but not for long; with a date in every row, only a lap that goes on says.
const TIME_OF_DAY_SLACK_MS = 2 * HOUR_MS;
const SLACK_MS = 60_000;
const DATE_CORRECTION_SLACK_MS = 5000;
const CAR_SPEED_MAX_METERS_PER_SECOND = 120;
const CORRECTION_MAX_METERS = 15;

/**
 * Lets times run on where they step back by a whole period while the car goes on, in place. A date that comes a day early or late, such
 * as one that is the date on which the lap began, makes times step forward by a day as well: the earlier rows then get the later date.
 */
function unwrapPeriods(fixes: FixColumns, clock: Clock): void {
  const { timesMs, length } = fixes;
  let [shiftMs, leastShiftMs, beforeMs] = [0, 0, at(timesMs, 0)];
  for (let index = 1; index < length; index++) {
    let timeMs = at(timesMs, index) + shiftMs;
    const stepMs = timeMs - beforeMs;
    if (Math.abs(stepMs) > SHORTEST_PERIOD_MS / 2) {
      const correctionMs = findPeriod(fixes, index, stepMs, clock);
      shiftMs += correctionMs;
      leastShiftMs = Math.min(leastShiftMs, shiftMs);
      timeMs += correctionMs;
    }
    timesMs[index] = timeMs;
    beforeMs = timeMs;
  }
  if (leastShiftMs === 0) return;
  for (let index = 0; index < length; index++) timesMs[index] = at(timesMs, index) - leastShiftMs;
}

/** Lets times of day run on over midnight, in place, before they get a date. */
export function unwrapMidnights(timesMs: Float64Array): void {
  let [shiftMs, beforeMs] = [0, Number.NaN];
  for (const [index, timeMs] of timesMs.entries()) {
    if (isMidnight(timeMs - beforeMs)) shiftMs += DAY_MS;
    beforeMs = timeMs;
    timesMs[index] = timeMs + shiftMs;
  }
}

function isMidnight(stepMs: number): boolean {
  return stepMs + DAY_MS >= 0 && stepMs + DAY_MS < TIME_OF_DAY_SLACK_MS;
}

/** Finds what has to be added to the times from this fix on so that they go on; 0 where the step is no period. */
function findPeriod(fixes: FixColumns, index: number, stepMs: number, clock: Clock): number {
  if (clock === 'time_of_day' && isMidnight(stepMs)) return DAY_MS;
  const isReachable = (milliseconds: number): boolean => {
    const reach = (CAR_SPEED_MAX_METERS_PER_SECOND * milliseconds) / 1000 + CORRECTION_MAX_METERS;
    return roughDistanceMeters(fixes.lats, fixes.lons, index - 1, index) <= reach;
  };
  const periodMs = PERIODS_MS.find((period) => {
    const goesOnMs = stepMs + period;
    return goesOnMs > 0 && goesOnMs < SLACK_MS && isReachable(goesOnMs);
  });
  if (periodMs !== undefined) return periodMs;
  const isCorrectedMs = stepMs - DAY_MS;
  return isCorrectedMs > 0 && isCorrectedMs < DATE_CORRECTION_SLACK_MS && isReachable(isCorrectedMs)
    ? -DAY_MS
    : 0;
}

/** Describes how a car moves between two places: by its positions, and by its own speed, in whatever unit; NaN where it has none. */
type Movement = { metersPerSecond: number; recordedSpeed: number };

/** Times that are seconds where milliseconds were expected, microseconds, and the other way round. */
const UNIT_FACTORS = [1, 1e-3, 1e3, 1e-6, 1e6];
const SLOWEST_METERS_PER_SECOND = 1;
const FASTEST_METERS_PER_SECOND = 130;
// The range covers m/s to km/h, with some room for receivers that measure badly.
const RATIO_MIN = 0.4;
const RATIO_MAX = 5;
const FEWEST_MOVEMENTS = 10;
// The positions of a standing car wander as well, but not as far.
const EXTENT_MIN_DEGREES = 0.0015;
// Positions all over the Earth are broken, and no clock makes them a drive.
const EXTENT_MAX_DEGREES = 10;

/** Returns the factor with which the positions move like a car at its speeds; null without one, 1 if unclear. */
function findUnitFactor(fixes: FixColumns): number | null {
  const movements = sampleMovements(fixes);
  const usual = median(movements.map(({ metersPerSecond }) => metersPerSecond));
  if (usual === null || movements.length < FEWEST_MOVEMENTS || isLikeCar(usual)) return 1;
  const extent = extentDegrees(fixes);
  if (extent < EXTENT_MIN_DEGREES) return 1;
  const ratios = movements
    .map(({ metersPerSecond, recordedSpeed }) => recordedSpeed / metersPerSecond)
    .filter(Number.isFinite);
  const ratio = ratios.length < FEWEST_MOVEMENTS ? null : median(ratios);
  const fits = (factor: number): boolean =>
    ratio === null || (ratio * factor >= RATIO_MIN && ratio * factor <= RATIO_MAX);
  // Both clocks agree for an aircraft or a hiker.
  if (ratio !== null && fits(1)) return 1;
  if (extent > EXTENT_MAX_DEGREES) return usual > FASTEST_METERS_PER_SECOND ? null : 1;
  const found = UNIT_FACTORS.find((factor) => isLikeCar(usual / factor) && fits(factor));
  return found ?? (usual > FASTEST_METERS_PER_SECOND ? null : 1);
}

function isLikeCar(metersPerSecond: number): boolean {
  return metersPerSecond >= SLOWEST_METERS_PER_SECOND && metersPerSecond <= FASTEST_METERS_PER_SECOND;
}

/** Returns how far the positions are from the first, in degrees of either kind. */
function extentDegrees({ lats, lons, length }: FixColumns): number {
  let most = 0;
  for (let index = 1; index < length; index++) {
    const north = Math.abs(at(lats, index) - at(lats, 0));
    const east = Math.abs(lonDifference(at(lons, 0), at(lons, index)));
    most = Math.max(most, north, east);
  }
  return most;
}

const MOVEMENTS_MAX = 300;
const MOVEMENT_METERS = 8;
// The search is longer than the rows of the densest logger for so many metres. The limit bounds the work where the car
// is stationary.
const LONGEST_SEARCH = 300;

/** Samples movements of a few metres, from all over the file. */
function sampleMovements(fixes: FixColumns): Movement[] {
  const stride = Math.max(1, Math.floor(fixes.length / MOVEMENTS_MAX));
  const movements: Movement[] = [];
  for (let from = 0; from + 1 < fixes.length; from += stride) {
    const movement = movementFrom(fixes, from);
    if (movement !== null) movements.push(movement);
  }
  return movements;
}

function movementFrom(fixes: FixColumns, from: number): Movement | null {
  const { timesMs, lats, lons, speedsMetersPerSecond: speeds } = fixes;
  const end = Math.min(fixes.length, from + LONGEST_SEARCH);
  for (let to = from + 1; to < end; to++) {
    const stepMs = at(timesMs, to) - at(timesMs, from);
    if (stepMs === 0) continue;
    const meters = roughDistanceMeters(lats, lons, from, to);
    if (meters < MOVEMENT_METERS) continue;
    if (stepMs < 0) return null;
    return {
      metersPerSecond: (1000 * meters) / stepMs,
      recordedSpeed: (at(speeds, from) + at(speeds, to)) / 2,
    };
  }
  return null;
}
