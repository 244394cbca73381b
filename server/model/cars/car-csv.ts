import type { CarProblem, NewCar } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { type Fields, readFields, newReport, takeText } from './imported-fields.ts';
import { AppError } from '#server/kernel/errors.ts';
import { completeCar } from './complete-car.ts';
import { readCsvRows } from './csv-rows.ts';

export type ReadCar = {
  /** The line of the file, where the header is line 1; the row from 1 in a request. */
  line: number;
  car: NewCar;
  /** The row has no key, so the server made one. */
  hasMadeKey: boolean;
};

export type ReadCars = { cars: ReadCar[]; problems: CarProblem[] };

/**
 * Reads a CSV file of cars; a bad row does not affect other rows. Columns can be in any order, unknown columns are ignored, and
 * missing values of `modelKey`, `generation` and `modelDisplay` are derived from the other columns.
 * @throws AppError where the header lacks a required column, or the file has too many rows
 */
export function readCarCsv(text: string): ReadCars {
  const content = text.replace(/^\uFEFF/, '');
  const read: ReadCars = { cars: [], problems: [] };
  let columns: string[] | null = null;
  let rowCount = 0;
  readCsvRows(content, findDelimiter(content), ({ line, values }) => {
    if (columns === null) {
      columns = readHeader(values);
      return;
    }
    if (++rowCount > LIMITS.importedCarsMax) {
      throw new AppError('too_large', `A file may have at most ${LIMITS.importedCarsMax} cars.`);
    }
    if (values !== null && values.every(isBlank)) return;
    const problem = validateRow(values, columns);
    if (problem !== null) read.problems.push({ line, field: null, message: problem });
    else takeCar(read, line, readFields(Object.fromEntries(columns.map((name, i) => [name, values?.[i]]))));
  });
  if (columns === null) readHeader(null);
  return read;
}

function readHeader(values: readonly string[] | null): string[] {
  const columns = values?.map(plainName) ?? [];
  const missing = REQUIRED.filter((name) => !columns.includes(plainName(name)));
  if (missing.length === 0) return columns;
  const sentence = `The first line must name the columns; missing: ${missing.join(', ')}.`;
  throw new AppError('invalid_input', sentence, { fields: { file: sentence } });
}

export function readCars(rows: readonly unknown[]): ReadCars {
  const read: ReadCars = { cars: [], problems: [] };
  for (const [index, row] of rows.entries()) takeCar(read, index + 1, readFields(row));
  return read;
}

/** Holds the model keys of the library, and the same keys by the four names of their cars. */
export type KnownCars = { keys: Set<string>; keysByNames: Map<string, string> };

/** Selects the cars that the library lacks. A car with a new key but the names of another car is a problem. */
export function selectNewCars({ cars, problems }: ReadCars, known: KnownCars) {
  const newCars: NewCar[] = [];
  const allProblems = [...problems];
  const lineOfKey = new Map<string, number>();
  const lineOfNames = new Map<string, number>();
  let existing = 0;
  for (const { line, car, hasMadeKey } of cars) {
    const names = joinNames(car);
    const knownKey = known.keys.has(car.modelKey) ? car.modelKey : known.keysByNames.get(names);
    const sameLine = lineOfKey.get(car.modelKey) ?? lineOfNames.get(names);
    if (knownKey === car.modelKey || (knownKey !== undefined && hasMadeKey)) existing++;
    else if (knownKey !== undefined)
      allProblems.push(nameProblem(line, `The library has this car as ${knownKey}.`));
    else if (sameLine !== undefined)
      allProblems.push(nameProblem(line, `This car is in line ${sameLine} already.`));
    else newCars.push(car);
    lineOfKey.set(car.modelKey, sameLine ?? line);
    lineOfNames.set(names, sameLine ?? line);
  }
  return { newCars, existing, problems: allProblems.toSorted((a, b) => a.line - b.line) };
}

/** Joins the four names of a car with tabs; names contain no control characters. */
function joinNames({ make, modelFamily, variant, generation }: NewCar): string {
  return [make, modelFamily, variant, generation].join('\t');
}

const REQUIRED = ['make', 'modelFamily', 'variant'] as const;

function takeCar(read: ReadCars, line: number, fields: Fields | null): void {
  const report = newReport();
  if (!fields) report.problems['car'] = 'This is no car.';
  const take = (name: string) => takeText(report, name, fields?.get(plainName(name)));
  const raw = {
    make: take('make'),
    modelFamily: take('modelFamily'),
    variant: take('variant'),
    generation: take('generation'),
    modelKey: take('modelKey'),
    modelDisplay: take('modelDisplay'),
    years: take('years'),
    drivetrain: take('drivetrain'),
    raceClass: take('raceClass'),
  };
  for (const name of fields ? REQUIRED : [])
    if (raw[name] === null) report.problems[name] ??= 'This is missing.';
  const problems = Object.entries(report.problems);
  for (const [field, message] of problems) read.problems.push({ line, field, message });
  const car = problems.length === 0 && completeCar(raw);
  if (car) read.cars.push({ line, car, hasMadeKey: raw.modelKey === null });
}

function nameProblem(line: number, message: string): CarProblem {
  return { line, field: 'modelKey', message };
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Finds the delimiter of the header; spreadsheets of many countries write semicolons. */
function findDelimiter(text: string): string {
  const [header = ''] = text.split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ',';
}

/** Tells whether a value is blank; spreadsheets write emptied rows as delimiters only. */
function isBlank(value: string): boolean {
  return /^[\s,;"]*$/.test(value);
}

function validateRow(values: readonly string[] | null, columns: readonly string[]): string | null {
  if (values === null) return 'The quotes of this line do not match.';
  if (values.length <= columns.length) return null;
  return `This line has ${values.length} values for ${columns.length} columns.`;
}
