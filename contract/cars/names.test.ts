import { expect, test } from 'vitest';
import { appendGeneration, joinModelAndVariant } from './names.ts';

test.each([
  ['MX-5', '1.8', 'MX-5 1.8'],
  ['Civic Type R TCR', 'TCR', 'Civic Type R TCR'],
  ['MX-5 Cup', 'Global MX-5 Cup', 'Global MX-5 Cup'],
  ['Leon Cupra', 'Cupra R', 'Leon Cupra R'],
  ['IS', 'IS F', 'IS F'],
  ['500 / 595 / 695', '695 Biposto', '695 Biposto'],
  ['Golf GTI', 'GTI', 'Golf GTI'],
  ['GR86 Cup', 'GR Cup', 'GR86 Cup GR Cup'],
  ['Academy', 'academy', 'academy'],
  ['MX-5', '', 'MX-5'],
  ['', '1.8', '1.8'],
])('the model %s and the variant %s make %s', (model, variant, name) => {
  expect(joinModelAndVariant(model, variant)).toBe(name);
});

test('a generation is appended once', () => {
  expect(appendGeneration('MX-5 1.8', 'NB')).toBe('MX-5 1.8 (NB)');
  expect(appendGeneration('MX-5 1.8 (NB)', 'NB')).toBe('MX-5 1.8 (NB)');
  expect(appendGeneration('MX-5 2.0 (ND1)', 'ND')).toBe('MX-5 2.0 (ND1)');
  expect(appendGeneration('Radical (SR)', 'SR3')).toBe('Radical (SR) (SR3)');
});
