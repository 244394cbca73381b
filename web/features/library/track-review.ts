import type { CreatedTrack, ParsedTrack, UpdatableField } from '#contract/library/schemas.ts';
import {
  findNameProblem,
  findNumberProblem,
  parseDecimal,
  REQUIRED_TRACK_NAMES,
  TRACK_RANGES,
  type Range,
} from '#contract/tracks/labels.ts';

type RawTrack = Omit<ParsedTrack, 'row' | 'problems' | 'warnings'>;

/** A track as it is sent: with its number in the file, and the fields to update of an existing track. */
export type ImportedTrack = RawTrack & { row: number; update?: UpdatableField[] };

/** The fields that can be changed in a review, in their order on the screen. */
export const REVIEW_FIELDS = [
  'name',
  'configuration',
  'location',
  'country',
  'radiusMeters',
  'centerLat',
  'centerLon',
] as const;

export type ReviewField = (typeof REVIEW_FIELDS)[number];

export type ReviewRow = {
  /** The id stays the same for as long as the row is reviewed. */
  id: string;
  /** All rows of one file share this id. */
  reviewId: number;
  /** The number of the track in the file, from 1. */
  row: number;
  raw: RawTrack;
  values: Readonly<Record<ReviewField, string>>;
  /** Messages by the name of the field, including parts that cannot be changed here. */
  problems: Readonly<Record<string, string>>;
  warnings: readonly string[];
  /** The reason why the server did not import the track; null before the import and after an edit. */
  refusal: string | null;
};

export type RowField = { rowId: string; field: ReviewField };

/** Makes the rows of a review from the tracks of a file. */
export function reviewTracks(tracks: readonly ParsedTrack[], reviewId: number): ReviewRow[] {
  return tracks.map(({ problems, warnings, row, ...raw }, index) => {
    const values = toFieldValues(raw);
    return {
      id: `${reviewId}-${index}`,
      reviewId,
      row,
      raw,
      values,
      problems: { ...findProblems(values), ...problems },
      warnings,
      refusal: null,
    };
  });
}

/** Changes one field and checks it again; the other fields keep their problems. */
export function editRow(row: ReviewRow, field: ReviewField, value: string): ReviewRow {
  if (row.values[field] === value) return row;
  const values = { ...row.values, [field]: value };
  const reviewed: readonly string[] = CENTER.includes(field) ? fieldsAboutCenter(row) : [field];
  const found = findProblems(values);
  const problems = Object.fromEntries([
    ...Object.entries(row.problems).filter(([name]) => !reviewed.includes(name)),
    ...Object.entries(found).filter(([name]) => reviewed.includes(name)),
  ]);
  return { ...row, values, problems, refusal: null };
}

/** Removes a part that cannot be changed here, such as an outline, with its problem. */
export function removeRowPart(row: ReviewRow, part: string): ReviewRow {
  const { [part]: _, ...problems } = row.problems;
  const raw = { ...row.raw, [part]: part === 'sectors' ? [] : null };
  return { ...row, raw, problems, refusal: null };
}

/** Lists the problems of parts that have no field in the review. */
export function listPartProblems(row: ReviewRow): [part: string, sentence: string][] {
  return Object.entries(row.problems).filter(([name]) => !isReviewField(name));
}

/** Returns true for every part except the track itself. */
export function isRemovablePart(part: string): boolean {
  return part !== 'track';
}

export function isReady(row: ReviewRow): boolean {
  return Object.keys(row.problems).length === 0;
}

export function needsAttention(row: ReviewRow): boolean {
  return !isReady(row) || row.refusal !== null;
}

/**
 * Finds the next field with a problem after `after` in reading order, and continues at the top after the last one; null
 * if there is none. A row whose problem belongs to no field gives its first field.
 */
export function findNextProblem(rows: readonly ReviewRow[], after: RowField | null): RowField | null {
  const candidates = rows.flatMap((row, rowIndex) =>
    listFieldsToCheck(row).map((field) => ({
      rowId: row.id,
      field,
      position: fieldPosition(rowIndex, field),
    })),
  );
  const rowIndex = after === null ? -1 : rows.findIndex(({ id }) => id === after.rowId);
  const from = after === null || rowIndex < 0 ? -1 : fieldPosition(rowIndex, after.field);
  const next = candidates.find(({ position }) => position > from) ?? candidates[0];
  return next ? { rowId: next.rowId, field: next.field } : null;
}

/** Converts a reviewed track to the form in which it is sent. */
export function toImportedTrack({ row, raw, values }: ReviewRow): ImportedTrack {
  return {
    ...raw,
    row,
    name: parseText(values.name),
    configuration: parseText(values.configuration),
    location: parseText(values.location),
    country: parseText(values.country),
    radiusMeters: parseDecimal(values.radiusMeters),
    centerLat: parseDecimal(values.centerLat),
    centerLon: parseDecimal(values.centerLon),
  };
}

/** Returns the rows that remain after an import of `sent`: those refused, with the reason, and those not sent. */
export function rowsAfterImport(
  rows: readonly ReviewRow[],
  sent: readonly ReviewRow[],
  results: readonly Pick<CreatedTrack, 'status' | 'message'>[],
): ReviewRow[] {
  const resultsById = new Map(sent.map(({ id }, index) => [id, results[index]]));
  return rows.flatMap((row) => {
    const result = resultsById.get(row.id);
    if (!result) return [row];
    return result.status === 'error' ? [{ ...row, refusal: result.message }] : [];
  });
}

const CENTER: readonly ReviewField[] = ['centerLat', 'centerLon'];

/** Lists the fields that depend on the centre: a line may have been too far from the previous one. */
function fieldsAboutCenter({ raw }: ReviewRow): string[] {
  return raw.startFinishLine ? [...CENTER, 'startFinishLine'] : [...CENTER];
}

function listFieldsToCheck(row: ReviewRow): ReviewField[] {
  const fields = REVIEW_FIELDS.filter((field) => row.problems[field] !== undefined);
  return fields.length === 0 && needsAttention(row) ? ['name'] : fields;
}

function fieldPosition(rowIndex: number, field: ReviewField): number {
  return rowIndex * REVIEW_FIELDS.length + REVIEW_FIELDS.indexOf(field);
}

function isReviewField(name: string): name is ReviewField {
  return REVIEW_FIELDS.some((field) => field === name);
}

function toFieldValues(raw: RawTrack): ReviewRow['values'] {
  return {
    name: raw.name ?? '',
    configuration: raw.configuration ?? '',
    location: raw.location ?? '',
    country: raw.country ?? '',
    radiusMeters: String(raw.radiusMeters ?? ''),
    centerLat: String(raw.centerLat ?? ''),
    centerLon: String(raw.centerLon ?? ''),
  };
}

const REQUIRED: Partial<Record<ReviewField, string>> = REQUIRED_TRACK_NAMES;
const RANGES: Partial<Record<ReviewField, Range>> = TRACK_RANGES;

/** Validates a row without the library; the server checks the rest when a track is imported. */
function findProblems(values: ReviewRow['values']): Partial<Record<ReviewField, string>> {
  const problems: Partial<Record<ReviewField, string>> = {};
  for (const field of REVIEW_FIELDS) {
    const problem = findProblem(field, values[field].trim());
    if (problem !== null) problems[field] = problem;
  }
  const missing = CENTER.filter((field) => values[field].trim() === '');
  if (missing.length === 1 && missing[0]) problems[missing[0]] = 'Latitude and longitude go together.';
  return problems;
}

function findProblem(field: ReviewField, text: string): string | null {
  if (text === '') return REQUIRED[field] ?? null;
  const range = RANGES[field];
  return range ? findNumberProblem(parseDecimal(text), range) : findNameProblem(text);
}

function parseText(value: string): string | null {
  return value.trim() || null;
}
