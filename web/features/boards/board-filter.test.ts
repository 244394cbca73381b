import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tireLabel } from '#contract/laps/labels.ts';
import {
  changeFilter,
  countFilters,
  emptyFilter,
  FILTER_NAMES,
  filterChips,
  readFilter,
  writeFilter,
  describeFilter,
  type BoardFilter,
} from './board-filter.ts';

const everyFilter: BoardFilter = {
  timePeriod: '6-months',
  make: 'BMW',
  modelFamily: 'M2',
  variant: 'CS',
  generation: 'F87',
  raceClass: 'GT',
  drivetrain: 'RWD',
  tire: 'rcomp',
  evidence: 'video',
};

test('filters written into a URL are read back the same', () => {
  const name = fc.string({ minLength: 0, maxLength: 12 });
  fc.assert(
    fc.property(name, name, name, (make, modelFamily, raceClass) => {
      const filter = { ...emptyFilter(), make, modelFamily, raceClass };
      const address = writeFilter(new URLSearchParams(), filter).toString();
      expect(readFilter(new URLSearchParams(address))).toEqual(filter);
    }),
  );
  expect(readFilter(writeFilter(new URLSearchParams(), everyFilter))).toEqual(everyFilter);
});

test('writing filters leaves the rest of the URL alone and drops what is not set', () => {
  const written = writeFilter(new URLSearchParams('tab=laps&make=BMW'), { ...emptyFilter(), tire: 'rcomp' });
  expect(written.toString()).toBe('tab=laps&tire=rcomp');
});

test('all time is the same as no time period', () => {
  const filter = { ...emptyFilter(), timePeriod: 'all-time' } as const;
  expect(writeFilter(new URLSearchParams(), filter).toString()).toBe('');
  expect(countFilters(filter)).toBe(0);
});

test('a time period or tyre category that does not exist is not a filter', () => {
  expect(readFilter(new URLSearchParams('timePeriod=yesterday&tire=wood'))).toEqual(emptyFilter());
});

test('changing the make clears model family, variant and generation', () => {
  expect(changeFilter(everyFilter, 'make', 'Mazda')).toEqual({
    ...everyFilter,
    make: 'Mazda',
    modelFamily: '',
    variant: '',
    generation: '',
  });
});

test('changing the model family clears variant and generation, changing the variant the generation', () => {
  expect(changeFilter(everyFilter, 'modelFamily', 'M3')).toMatchObject({
    make: 'BMW',
    variant: '',
    generation: '',
  });
  expect(changeFilter(everyFilter, 'variant', 'Base')).toMatchObject({ modelFamily: 'M2', generation: '' });
});

test('the other filters change alone', () => {
  for (const name of ['raceClass', 'drivetrain', 'generation'] as const) {
    expect(changeFilter(everyFilter, name, 'other')).toEqual({ ...everyFilter, [name]: 'other' });
  }
});

test('every filter in use counts, and all but the time period have a chip', () => {
  expect(countFilters(everyFilter)).toBe(FILTER_NAMES.length);
  expect(filterChips(everyFilter).map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Make: BMW',
    'Model Family: M2',
    'Variant: CS',
    'Generation: F87',
    'Race Class: GT',
    'Drivetrain: RWD',
    'Tires: R-Comp DOT Slick',
    'Evidence: Video',
  ]);
});

test('missing tyres are unknown, and a category of another server keeps its own name', () => {
  expect(tireLabel(null)).toBe('Unknown');
  expect(tireLabel('full-slick')).toBe('Full Slick');
  expect(tireLabel('semi-slick')).toBe('semi-slick');
});

test('filters are described in words, the time period first; no filter is an empty text', () => {
  const filter = { ...emptyFilter(), make: 'BMW', tire: 'full-slick', timePeriod: '1-month' } as const;
  expect(describeFilter(filter)).toBe('Last Month · Make: BMW · Tires: Full Slick');
  expect(describeFilter({ ...emptyFilter(), timePeriod: 'all-time' })).toBe('');
});
