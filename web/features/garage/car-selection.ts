import type { CarModel } from '#contract/cars.ts';

/** The four names that lead to one car model, in the order in which they are chosen. */
const CAR_FIELDS = ['make', 'modelFamily', 'variant', 'generation'] as const;

export type CarField = (typeof CAR_FIELDS)[number];

/** What is chosen so far; a name that is not chosen yet is empty. */
export type CarSelection = Record<CarField, string> & {
  /** Known once the four names are found in the library. */
  modelKey: string | null;
};

export const NO_CAR: CarSelection = {
  make: '',
  modelFamily: '',
  variant: '',
  generation: '',
  modelKey: null,
};

/** Chooses one name and clears everything that hangs on it. */
export function chooseCarName(selection: CarSelection, field: CarField, name: string): CarSelection {
  const level = CAR_FIELDS.indexOf(field);
  const kept = Object.fromEntries(CAR_FIELDS.slice(0, level).map((field) => [field, selection[field]]));
  return { ...NO_CAR, ...kept, [field]: name };
}

/** Chooses all four names at once, with the key that belongs to them. */
export function chooseCarModel(model: CarModel): CarSelection {
  const { make, modelFamily, variant, generation, modelKey } = model;
  return { make, modelFamily, variant, generation, modelKey };
}

/** Whether all four names are chosen. */
export function isCarNamed(selection: CarSelection): boolean {
  return CAR_FIELDS.every((field) => selection[field] !== '');
}

/** Whether everything is chosen that the names of this field depend on. */
export function mayChoose(selection: CarSelection, field: CarField): boolean {
  return CAR_FIELDS.slice(0, CAR_FIELDS.indexOf(field)).every((field) => selection[field] !== '');
}

/** The car in words: "Mazda MX-5 1.8 (NB)". */
export function describeCar(selection: CarSelection): string {
  const { make, modelFamily, variant, generation } = selection;
  return `${make} ${modelFamily} ${variant} (${generation})`;
}
