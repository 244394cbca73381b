import { appendGeneration, joinModelAndVariant } from '#contract/cars/names.ts';
import type { NewCar } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';

// Every car is selected by four names, so a car without generations needs a name there.
const ONLY_GENERATION = 'All years';

/** Derives the missing fields of a car from its names; null where make, model family or variant is missing. */
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
    modelDisplay:
      raw.modelDisplay ??
      appendGeneration(`${make} ${joinModelAndVariant(modelFamily, variant)}`, generation),
  };
}

/** Converts `Mazda`, `MX-5`, `NA`, `1.6` to `mazda-mx-5-na-1-6`, one key for all spellings. Letters of every script stay. */
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
