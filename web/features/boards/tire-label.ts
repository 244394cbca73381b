import { TIRE_LABELS, type TireCompound } from '#contract/lap-words.ts';

/** What a tyre category is called. */
export function tireLabel(tireCompound: string | null | undefined): string {
  if (!tireCompound) return 'Unknown';
  return isTireCompound(tireCompound) ? TIRE_LABELS[tireCompound] : tireCompound;
}

function isTireCompound(value: string): value is TireCompound {
  return Object.hasOwn(TIRE_LABELS, value);
}
