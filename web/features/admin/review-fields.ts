import type { FieldOfRow, ReviewField } from './track-review.ts';

/** The labels of the fields of a review; a star marks what is required. */
export const FIELD_LABELS: Readonly<Record<ReviewField, string>> = {
  name: 'Track Name *',
  configuration: 'Configuration',
  location: 'City/Region *',
  country: 'Country *',
  radiusMeters: 'Detection Radius (m)',
  centerLat: 'Latitude',
  centerLon: 'Longitude',
};

export const REQUIRED_FIELDS: readonly ReviewField[] = ['name', 'location', 'country'];
export const NUMERIC_FIELDS: readonly ReviewField[] = ['radiusMeters', 'centerLat', 'centerLon'];

/** The id of the input of a field. */
export function fieldId({ rowId, field }: FieldOfRow): string {
  return `review-${rowId}-${field}`;
}

// Enter goes down a column as in any sheet; the arrows have no use in a field of one line.
const STEPS: Partial<Record<string, 'next' | 'previous'>> = {
  Enter: 'next',
  ArrowDown: 'next',
  ArrowUp: 'previous',
};

/** The input of the same field one row further, if the key leads there and there is one. */
export function neighbourOf(input: HTMLInputElement, key: string, shiftKey: boolean): HTMLElement | null {
  const step = key === 'Enter' && shiftKey ? 'previous' : STEPS[key];
  const row = input.closest('[data-row]');
  if (!step || !row) return null;
  const neighbour = step === 'next' ? row.nextElementSibling : row.previousElementSibling;
  return neighbour?.querySelector<HTMLElement>(`[name="${input.name}"]`) ?? null;
}
