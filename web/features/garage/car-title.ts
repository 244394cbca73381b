import type { UserCar } from '#contract/garage/schemas.ts';

type NamedCar = Pick<UserCar, 'make' | 'modelDisplay' | 'years'>;

/** Joins year, make and model. The make appears once, although the library's model names begin with it. */
export function formatCarTitle({ make, modelDisplay, years }: NamedCar): string {
  return [years, make, formatModel({ make, modelDisplay })].filter(Boolean).join(' ');
}

/** Returns the model without the make in front of it; a variant that the model's name ends with is not repeated. */
export function formatModel({ make, modelDisplay }: Omit<NamedCar, 'years'>): string {
  const prefix = `${make} `.toLowerCase();
  const model = modelDisplay.toLowerCase().startsWith(prefix)
    ? modelDisplay.slice(prefix.length)
    : modelDisplay;
  return model.replaceAll(/(?<=^| )(\S+) \1(?= |$)/g, '$1');
}
