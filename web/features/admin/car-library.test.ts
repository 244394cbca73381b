import { expect, test } from 'vitest';
import { readCarImport, readCarPreview } from '#web/api/specified-answers/admin.ts';
import { describeCarImport, describeCarProblem, describePreview } from './car-library.tsx';

test('a preview counts the new cars and names the line of every problem', () => {
  const preview = readCarPreview({
    summary: { total: 1200, new: 1, existing: 1198, withProblems: 1 },
    newCars: [{ modelKey: 'lotus-elise-s2' }],
    problems: [{ line: 1001, field: 'make', message: 'The make is missing.' }],
  });
  expect(describePreview(preview)).toBe('1,200 cars: 1 new car, 1,198 existing.');
  expect(preview.problems.map((problem) => describeCarProblem('Line', problem))).toEqual([
    'Line 1,001, make: The make is missing.',
  ]);
});

test('an import counts what it left unchanged', () => {
  expect(describeCarImport(readCarImport({ imported: 2 }))).toBe('2 cars added to the library.');
  const answer = { imported: 1, existing: 1, problems: [{ line: 3, field: null, message: 'No car.' }] };
  expect(describeCarImport(readCarImport(answer))).toBe(
    '1 car added to the library. 1 car already there. 1 problem.',
  );
  expect(readCarImport(answer).problems.map((problem) => describeCarProblem('Car', problem))).toEqual([
    'Car 3: No car.',
  ]);
});
