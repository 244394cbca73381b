import { cleanName } from '#contract/names.ts';
import { findNameProblem, findNumberProblem, parseDecimal, type Range } from '#contract/tracks/labels.ts';

// This file reads fields of objects that other programs wrote. Only their JSON syntax is certain.

/** Maps normalized names to values: `center_lat` and `Center Lat` are one. Empty text is absent; the first counts. */
export type Fields = ReadonlyMap<string, unknown>;

/** Reads the fields of an object; null for any other value. */
export function readFields(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    if (field !== null && field !== '' && !fields.has(plain)) fields.set(plain, field);
  }
  return fields;
}

/** Returns the first field that is present; undefined where none is. `names` are in lower case and without punctuation. */
export function pick(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) if (fields.has(name)) return fields.get(name);
  return undefined;
}

/** Lists the problems of an object by field, and the warnings about it. */
export type Report = { problems: Record<string, string>; warnings: string[] };

export function newReport(): Report {
  return { problems: {}, warnings: [] };
}

/** Returns a text on one line, trimmed; null where it is absent, or where it is no text, which the report then says. */
export function takeText(report: Report, field: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  // The name of a configuration may be a number, such as 2.
  if (typeof value !== 'string' && typeof value !== 'number') {
    report.problems[field] = 'This must be a text.';
    return null;
  }
  const text = cleanName(String(value));
  const problem = findNameProblem(text);
  if (problem === null) return text === '' ? null : text;
  report.problems[field] = problem;
  return null;
}

/** Returns a number, or a text that is a number; null where it is absent, or where it is no number, which the report then says. */
export function takeNumber(report: Report, field: string, value: unknown, range: Range): number | null {
  if (value === undefined || value === null) return null;
  const number = parseNumber(value);
  const problem = findNumberProblem(number, range);
  if (problem === null) return number;
  report.problems[field] = problem;
  return null;
}

/** Parses a finite number; null for any other value. */
export function parseNumber(value: unknown): number | null {
  if (typeof value === 'string') return parseDecimal(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
