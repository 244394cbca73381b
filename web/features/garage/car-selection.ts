import type { CarModel } from '#contract/cars/schemas.ts';
import { CAR_NAMES, type CarName, type CarNames } from '#web/api/car-queries.ts';

/** The names that are chosen so far. */
export type CarSelection = CarNames & {
  /** The key is known once the library has the four names. */
  modelKey: string | null;
};

export const NO_CAR: CarSelection = {
  make: '',
  modelFamily: '',
  variant: '',
  generation: '',
  modelKey: null,
};

/** Chooses one name and clears those that depend on it. */
export function chooseCarName(selection: CarSelection, field: CarName, name: string): CarSelection {
  const level = CAR_NAMES.indexOf(field);
  const kept = Object.fromEntries(CAR_NAMES.slice(0, level).map((field) => [field, selection[field]]));
  return { ...NO_CAR, ...kept, [field]: name };
}

/** Chooses all four names at once, with the key that belongs to them. */
export function chooseCarModel(model: CarModel): CarSelection {
  const { make, modelFamily, variant, generation, modelKey } = model;
  return { make, modelFamily, variant, generation, modelKey };
}

export function isCarNamed(selection: CarSelection): boolean {
  return CAR_NAMES.every((field) => selection[field] !== '');
}

/** Formats the car as text: "Mazda MX-5 1.8 (NB)". */
export function describeCar(selection: CarSelection): string {
  const { make, modelFamily, variant, generation } = selection;
  return `${make} ${modelFamily} ${variant} (${generation})`;
}
