import type { NewCar } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';

// A car without generations is chosen through the same four names as any other, so it needs a word there.
const ONLY_GENERATION = 'All years';

/** The car with all that can be made of its names; null without make, model family and variant. */
export function completeCar({
  make,
  modelFamily,
  variant,
  ...raw
}: { [Name in keyof NewCar]: string | null }): NewCar | null {
  if (make === null || modelFamily === null || variant === null) return null;
  const generation = raw.generation ?? raw.years ?? ONLY_GENERATION;
  return {
    ...raw,
    make,
    modelFamily,
    variant,
    generation,
    modelKey: raw.modelKey ?? makeModelKey([make, modelFamily, generation, variant]),
    modelDisplay: raw.modelDisplay ?? `${make} ${modelFamily} ${variant} (${generation})`,
  };
}

/** `Mazda`, `MX-5`, `NA`, `1.6` become `mazda-mx-5-na-1-6`: one key for all ways to write the same names. Letters of every script stay. */
export function makeModelKey(names: readonly string[]): string {
  return names
    .join(' ')
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, LIMITS.nameCharactersMax);
}
