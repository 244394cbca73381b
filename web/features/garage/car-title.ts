import type { GarageCar } from '#web/api/specified-answers/profiles.ts';

type NamedCar = Pick<GarageCar, 'make' | 'modelDisplay' | 'years'>;

/** Year, make and model. The make is named once, although the library's model names begin with it. */
export function formatCarTitle({ make, modelDisplay, years }: NamedCar): string {
  return [years, make, formatModel({ make, modelDisplay })].filter(Boolean).join(' ');
}

/** The model without the make in front of it. */
export function formatModel({ make, modelDisplay }: NamedCar): string {
  const prefix = `${make} `.toLowerCase();
  return modelDisplay.toLowerCase().startsWith(prefix) ? modelDisplay.slice(prefix.length) : modelDisplay;
}
