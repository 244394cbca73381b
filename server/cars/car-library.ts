import { z } from 'zod';
import { searchTextOf } from './search-text.ts';

/** A car model as it goes into the library. */
export type LibraryCar = {
  make: string;
  modelFamily: string;
  variant: string;
  generation: string;
  modelKey: string;
  modelDisplay: string;
  years: string | null;
  drivetrain: string | null;
  raceClass: string | null;
  searchText: string;
};

const HEADER = 'make,modelFamily,variant,generation,modelKey,modelDisplay,years,drivetrain,raceClass';

const name = z.string().trim().min(1);
const optional = z
  .string()
  .trim()
  .transform((value) => (value === '' ? null : value));
const rowSchema = z.tuple([name, name, name, optional, name, name, optional, optional, optional]);

// A car without generations is chosen through the same four names as any other, so it needs a word there.
const ONLY_GENERATION = 'All years';

/** Reads our own library file, in which no field is quoted. @throws where a line is not as it should be */
export function parseCarLibrary(text: string): LibraryCar[] {
  const [header, ...lines] = text.trim().split(/\r?\n/);
  if (header !== HEADER) throw new Error('The car library does not begin with its header.');
  return lines.map((line, index) => {
    const row = rowSchema.safeParse(line.split(','));
    if (!row.success || line.includes('"'))
      throw new Error(`Line ${index + 2} of the car library cannot be read: ${line}`);
    const [
      make,
      modelFamily,
      variant,
      namedGeneration,
      modelKey,
      modelDisplay,
      years,
      drivetrain,
      raceClass,
    ] = row.data;
    const generation = namedGeneration ?? years ?? ONLY_GENERATION;
    const searchText = searchTextOf([modelDisplay, make, modelFamily, variant, generation]);
    return {
      make,
      modelFamily,
      variant,
      generation,
      modelKey,
      modelDisplay,
      years,
      drivetrain,
      raceClass,
      searchText,
    };
  });
}
