import { expect, test } from 'vitest';
import { describeCarImport, describeCarProblem, describePreview } from './car-library.tsx';

test('a preview counts the new cars and names the line of every problem', () => {
  const problem = { line: 1001, field: 'make', message: 'The make is missing.' };
  const summary = { total: 1200, new: 1, existing: 1198, withProblems: 1 };
  expect(describePreview({ summary, newCars: [], problems: [problem] })).toBe(
    '1,200 cars: 1 new car, 1,198 existing.',
  );
  expect(describeCarProblem('Line', problem)).toBe('Line 1,001, make: The make is missing.');
});

test('an import counts what it left unchanged', () => {
  expect(describeCarImport({ imported: 2, existing: 0, problems: [] })).toBe('2 cars added to the library.');
  const problem = { line: 3, field: null, message: 'No car.' };
  expect(describeCarImport({ imported: 1, existing: 1, problems: [problem] })).toBe(
    '1 car added to the library. 1 car already there. 1 problem.',
  );
  expect(describeCarProblem('Car', problem)).toBe('Car 3: No car.');
});
