import type { NewCar } from '#contract/library/schemas.ts';
import { readCarCsv } from './car-csv.ts';
import { makeSearchText } from './search-text.ts';

export type LibraryCar = NewCar & { searchText: string };

/** Parses the library file of the project. @throws where a line is invalid */
export function parseCarLibrary(text: string): LibraryCar[] {
  const { cars, problems } = readCarCsv(text);
  const [problem] = problems;
  if (problem)
    throw new Error(`Line ${problem.line} of the car library: ${problem.field} ${problem.message}`);
  return cars.map(({ car }) => toLibraryCar(car));
}

export function toLibraryCar(car: NewCar): LibraryCar {
  const { modelDisplay, make, modelFamily, variant, generation } = car;
  return { ...car, searchText: makeSearchText([modelDisplay, make, modelFamily, variant, generation]) };
}
