import { expect, test } from 'vitest';
import { formatCarTitle } from './car-title.ts';

test('a car is titled by year, make and model', () => {
  expect(formatCarTitle({ make: 'Lotus', modelDisplay: 'Exige 430', years: '2019' })).toBe(
    '2019 Lotus Exige 430',
  );
});

test('a model name that begins with the make does not repeat it', () => {
  expect(formatCarTitle({ make: 'Mazda', modelDisplay: 'Mazda MX-5 1.8 (NB)', years: '1998-2005' })).toBe(
    '1998-2005 Mazda MX-5 1.8 (NB)',
  );
});

test('a make that only begins the first word of the model stays', () => {
  expect(formatCarTitle({ make: 'MG', modelDisplay: 'MGB GT', years: null })).toBe('MG MGB GT');
});

test('a variant that the model ends with is not repeated', () => {
  const car = { make: 'Honda', modelDisplay: 'Honda Civic Type R TCR TCR (FL5)', years: null };
  expect(formatCarTitle(car)).toBe('Honda Civic Type R TCR (FL5)');
});
