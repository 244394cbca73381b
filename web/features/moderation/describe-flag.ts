import { FLAG_LABELS } from '#contract/moderation/labels.ts';
import type { EvidenceCurve, LapEvidenceOfFlag } from '#contract/moderation/evidence.ts';
import type { FlaggedLap, Measure } from '#contract/moderation/schemas.ts';
import { DAY_MS } from '#engine/durations.ts';
import {
  formatLength,
  formatSentence,
  formatSpeed,
  lengthUnit,
  metersPerUnit,
  pluralize,
  roundSpeed,
  speedUnit,
  toShownSpeed,
} from '#web/ui/format.ts';

export type Flag = FlaggedLap['flags'][number];

const SHORT: Record<Exclude<Measure['quantity'], 'pace'>, (found: number, limit: number) => string> = {
  cornering: (found, limit) => `Corners with ${found.toFixed(2)} g, limit ${limit.toFixed(2)}`,
  braking: (found, limit) => `Brakes with ${found.toFixed(2)} g, limit ${limit.toFixed(2)}`,
  power: (found, limit) => `Gains ${found.toFixed(0)} W/kg, limit ${limit.toFixed(0)}`,
  speed: (found, limit) => `Drives ${formatSpeed(found)}, limit ${roundSpeed(limit)}`,
  likeness: (found, limit) => `${formatLength(found, 1)} from another lap, limit ${formatLength(limit, 1)}`,
};

const AHEAD_OF: Partial<Record<Flag['reason'], string>> = {
  same_car: 'of others in this car',
  record: 'of its class',
};

/** Describes a flag on one line: its figure with the limit, else its reason. */
export function describeShortly({ reason, measure }: Flag): string {
  if (!measure) return FLAG_LABELS[reason];
  const { quantity, found, limit } = measure;
  if (quantity !== 'pace') return SHORT[quantity](found, limit);
  const whom = AHEAD_OF[reason] ?? 'of the driver before';
  return `${found.toFixed(1)} % ahead ${whom}, limit ${limit.toFixed(1)}`;
}

/** Writes the reason of a flag in full. Automatic checks write whole sentences; people write under a reason. */
export function describeFully({ reason, sentence, userName }: Flag): string {
  return userName === null ? formatSentence(sentence) : `${FLAG_LABELS[reason]}: “${sentence}”`;
}

/** Describes the figure as a share of a bar, with the limit on it; a copy is worse the less it differs. */
export function measureBar({ quantity, found, limit }: Measure): { found: number; limit: number } {
  const most = Math.max(found, limit) * 1.1;
  return quantity === 'likeness'
    ? { found: 1 - found / (2 * limit), limit: 0.5 }
    : { found: found / most, limit: limit / most };
}

/** Describes how long something has waited: 'today', '1 day', '12 days'. */
export function describeAge(since: string, nowMs: number): string {
  const days = Math.floor((nowMs - Date.parse(since)) / DAY_MS);
  return days < 1 ? 'today' : pluralize(days, 'day');
}

type CurveWords = { title: string; unit: () => string; decimals: number; others: string };

const CURVE_WORDS: Record<EvidenceCurve['quantity'], CurveWords> = {
  cornering: { title: 'Sideways acceleration', unit: () => 'g', decimals: 2, others: 'on such tires' },
  braking: { title: 'Deceleration', unit: () => 'g', decimals: 2, others: 'on such tires' },
  power: { title: 'Gain in speed over 3 s', unit: () => 'W/kg', decimals: 0, others: 'of this class' },
  speed: { title: 'Speed', unit: speedUnit, decimals: 0, others: 'of this class' },
  outline: { title: 'Distance from the outline', unit: lengthUnit, decimals: 0, others: '' },
};

/** Returns the words of a quantity with the reader's unit. */
export function curveWords(quantity: EvidenceCurve['quantity']): Omit<CurveWords, 'unit'> & { unit: string } {
  const words = CURVE_WORDS[quantity];
  return { ...words, unit: words.unit() };
}

/** Returns a curve with its figures and speeds in the reader's units. */
export function toShownCurve(curve: EvidenceCurve): EvidenceCurve {
  const { values, limit, othersMost, others, held, speedsKmh } = curve;
  const toShown = showQuantity(curve);
  const showColumn = (column: EvidenceCurve['values']) =>
    column.map((value) => (value === null ? null : toShown(value)));
  return {
    ...curve,
    values: showColumn(values),
    limit: toShown(limit),
    othersMost: othersMost === null ? null : toShown(othersMost),
    others: others && { ...others, low: showColumn(others.low), high: showColumn(others.high) },
    held: held && { ...held, value: toShown(held.value) },
    speedsKmh: speedsKmh && speedsKmh.map((speed) => (speed === null ? null : toShownSpeed(speed))),
  };
}

/** Returns the conversion of a quantity into the reader's unit. */
function showQuantity({ quantity }: Pick<EvidenceCurve, 'quantity'>): (value: number) => number {
  if (quantity === 'speed') return toShownSpeed;
  return quantity === 'outline' ? (meters) => meters / metersPerUnit() : (value) => value;
}

/** Describes the stretch of a shown curve that a check means: '2.35 g for 1.0 s', '180 m left out'. */
export function describeHeld({ quantity, held }: EvidenceCurve): string {
  if (!held) return '';
  const { unit, decimals } = curveWords(quantity);
  if (held.seconds === null) return `${held.value.toFixed(0)} ${unit} left out`;
  return `${held.value.toFixed(decimals)} ${unit} for ${held.seconds.toFixed(1)} s`;
}

const MOST: Record<EvidenceCurve['quantity'], string> = {
  cornering: 'Most in a corner by others on such tires',
  braking: 'Hardest braking by others on such tires',
  power: 'Most power of others in this class',
  speed: 'Top speed of others in this class',
  outline: '',
};

type MeantLap = LapEvidenceOfFlag['laps'][number];

const MEANT: Record<Exclude<MeantLap['role'], 'most'>, string> = {
  car: 'Fastest other lap in this car model, tires considered',
  class: 'Fastest other lap of this class, tires considered',
  driver: 'Best of this driver before, tires considered',
  copied: 'The lap that it follows',
  tires: 'Fastest other lap on such tires',
};

/** Says why a lap is compared with the flagged one. */
export function describeMeant({ role }: MeantLap, curve: EvidenceCurve | null): string {
  return role === 'most' ? MOST[curve?.quantity ?? 'outline'] : MEANT[role];
}

/** Formats what a lap reaches of the quantity of a curve. */
export function formatFigure(figure: number, curve: EvidenceCurve): string {
  const { unit, decimals } = curveWords(curve.quantity);
  return `${showQuantity(curve)(figure).toFixed(decimals)} ${unit}`;
}
