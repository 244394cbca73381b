import { FLAG_LABELS } from '#contract/moderation/labels.ts';
import type { EvidenceCurve, LapEvidenceOfFlag } from '#contract/moderation/evidence.ts';
import type { FlaggedLap, Measure } from '#contract/moderation/schemas.ts';
import { DAY_MS } from '#engine/durations.ts';

export type Flag = FlaggedLap['flags'][number];

const SHORT: Record<Exclude<Measure['quantity'], 'pace'>, (found: number, limit: number) => string> = {
  cornering: (found, limit) => `Corners with ${found.toFixed(2)} g, limit ${limit.toFixed(2)}`,
  braking: (found, limit) => `Brakes with ${found.toFixed(2)} g, limit ${limit.toFixed(2)}`,
  power: (found, limit) => `Gains ${found.toFixed(0)} W/kg, limit ${limit.toFixed(0)}`,
  speed: (found, limit) => `Drives ${found.toFixed(0)} km/h, limit ${limit.toFixed(0)}`,
  likeness: (found, limit) => `${found.toFixed(1)} m from another lap, limit ${limit.toFixed(1)}`,
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
  return userName === null ? sentence : `${FLAG_LABELS[reason]}: “${sentence}”`;
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
  return days < 1 ? 'today' : `${days} day${days === 1 ? '' : 's'}`;
}

type CurveWords = { title: string; unit: string; decimals: number; others: string };

export const CURVE_WORDS: Record<EvidenceCurve['quantity'], CurveWords> = {
  cornering: { title: 'Sideways acceleration, g', unit: 'g', decimals: 2, others: 'on such tires' },
  braking: { title: 'Deceleration, g', unit: 'g', decimals: 2, others: 'on such tires' },
  power: { title: 'Gain in speed over 3 s, W/kg', unit: 'W/kg', decimals: 0, others: 'of this class' },
  speed: { title: 'Speed, km/h', unit: 'km/h', decimals: 0, others: 'of this class' },
  outline: { title: 'Distance from the outline, m', unit: 'm', decimals: 0, others: '' },
};

/** Describes the stretch that a check means: '2.35 g for 1.0 s', '180 m left out'. */
export function describeHeld({ quantity, held }: EvidenceCurve): string {
  if (!held) return '';
  if (held.seconds === null) return `${held.value.toFixed(0)} m left out`;
  const { unit, decimals } = CURVE_WORDS[quantity];
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
export function formatFigure(figure: number, { quantity }: EvidenceCurve): string {
  const { unit, decimals } = CURVE_WORDS[quantity];
  return `${figure.toFixed(decimals)} ${unit}`;
}
