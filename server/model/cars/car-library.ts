import type { NewCar } from '#contract/library/schemas.ts';
import { readCarCsv } from './car-csv.ts';
import { makeSearchText } from './search-text.ts';

/** Is a car model as the library stores it. */
export type LibraryCar = NewCar & { searchText: string };

/** Reads our own library file. @throws where a line is not as it should be */
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
