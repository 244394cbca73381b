/** What names a car; the years may be unknown to a server that tells less. */
export type NamedCar = { make: string; modelDisplay: string; years?: string | null };

/** Year, make and model. The make is told once, although the library's model names begin with it. */
export function formatCarTitle({ make, modelDisplay, years }: NamedCar): string {
  return [years, make, formatModel({ make, modelDisplay })].filter(Boolean).join(' ');
}

/** The model without the make in front of it. */
export function formatModel({ make, modelDisplay }: NamedCar): string {
  const prefix = `${make} `.toLowerCase();
  return modelDisplay.toLowerCase().startsWith(prefix) ? modelDisplay.slice(prefix.length) : modelDisplay;
}
