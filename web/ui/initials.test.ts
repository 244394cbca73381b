import { expect, test } from 'vitest';
import { firstTwoLetters, initialsOf } from './initials.ts';

test('a board shows the first two letters of a name in capitals', () => {
  expect(firstTwoLetters('mara Okafor')).toBe('MA');
  expect(firstTwoLetters(' é')).toBe('É');
  expect(firstTwoLetters('')).toBe('');
});

test('a profile shows the first letters of the first and the last word', () => {
  expect(initialsOf('Mara Okafor')).toBe('MO');
  expect(initialsOf('Anna Maria van der Berg')).toBe('AB');
  expect(initialsOf('mara')).toBe('M');
  expect(initialsOf('  ')).toBe('');
});

test('a letter of two code units is not cut in half', () => {
  expect(firstTwoLetters('𝒜𝒷c')).toBe('𝒜𝒷');
});
