import { findNameProblem, findNumberProblem, parseDecimal, type Range } from '#contract/tracks/labels.ts';

// Reading the fields of objects that other programs wrote: nothing about them is sure but that they came out of JSON.

/**
 * The fields of an object by name, however it is written: `center_lat`, `centerLat` and `Center Lat` are one. What is null or
 * an empty text counts as absent. Of two fields that come to the same name the first counts.
 */
export type Fields = ReadonlyMap<string, unknown>;

/** Null for what is no object. */
export function readFields(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    if (field !== null && field !== '' && !fields.has(plain)) fields.set(plain, field);
  }
  return fields;
}

/** The first of the fields that is there; undefined where none is. Names are written small and without signs. */
export function pick(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) if (fields.has(name)) return fields.get(name);
  return undefined;
}

/** What is wrong with an object, by field, and what else there is to know of it. */
export type Report = { problems: Record<string, string>; warnings: string[] };

export function newReport(): Report {
  return { problems: {}, warnings: [] };
}

/** A field that is text, trimmed and on one line; null where it is absent or, with a problem in the report, no name. */
export function takeText(report: Report, field: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  // A configuration may well be called 2.
  if (typeof value !== 'string' && typeof value !== 'number') {
    report.problems[field] = 'This must be a text.';
    return null;
  }
  const text = plainText(String(value));
  const problem = findNameProblem(text);
  if (problem === null) return text === '' ? null : text;
  report.problems[field] = problem;
  return null;
}

/** One line without control characters, and without halves of characters, which no database takes. */
function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .replaceAll(/[\p{Control}\s]+/gu, ' ')
    .trim();
}

/** A field that is a number, or a text that is one; null where it is absent or, with a problem in the report, none. */
export function takeNumber(report: Report, field: string, value: unknown, range: Range): number | null {
  if (value === undefined || value === null) return null;
  const number = parseNumber(value);
  const problem = findNumberProblem(number, range);
  if (problem === null) return number;
  report.problems[field] = problem;
  return null;
}

/** A finite number, or null. */
export function parseNumber(value: unknown): number | null {
  if (typeof value === 'string') return parseDecimal(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
