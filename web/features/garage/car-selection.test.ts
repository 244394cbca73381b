import { expect, test } from 'vitest';
import { asCarModelId } from '#contract/testing/ids.ts';
import {
  NO_CAR,
  chooseCarModel,
  chooseCarName,
  describeCar,
  isCarNamed,
  type CarSelection,
} from './car-selection.ts';

const miata: CarSelection = {
  make: 'Mazda',
  modelFamily: 'MX-5',
  variant: '1.8',
  generation: 'NB',
  modelKey: 'mazda-mx-5-nb-1-8',
};

test('changing the make clears model, variant, generation and key', () => {
  expect(chooseCarName(miata, 'make', 'BMW')).toEqual({ ...NO_CAR, make: 'BMW' });
});

test('changing the model keeps the make and clears the rest', () => {
  expect(chooseCarName(miata, 'modelFamily', 'RX-8')).toEqual({
    ...NO_CAR,
    make: 'Mazda',
    modelFamily: 'RX-8',
  });
});

test('changing the variant clears generation and key', () => {
  expect(chooseCarName(miata, 'variant', '1.6')).toEqual({
    ...miata,
    variant: '1.6',
    generation: '',
    modelKey: null,
  });
});

test('changing the generation clears the key, which belonged to another generation', () => {
  expect(chooseCarName(miata, 'generation', 'NA')).toEqual({ ...miata, generation: 'NA', modelKey: null });
});

test('a car is named when all four names are chosen', () => {
  expect(isCarNamed(miata)).toBe(true);
  expect(isCarNamed({ ...miata, generation: '' })).toBe(false);
});

test('a car model from the search brings its four names and its key', () => {
  const model = {
    ...miata,
    id: asCarModelId('7'),
    modelKey: 'mazda-mx-5-nb-1-8',
    modelDisplay: 'Mazda MX-5 1.8 (NB)',
    years: '1998-2005',
    drivetrain: 'RWD',
    raceClass: 'Roadster',
    status: 'official' as const,
  };
  expect(chooseCarModel(model)).toEqual(miata);
});

test('a car reads as make, model, variant and generation in brackets', () => {
  expect(describeCar(miata)).toBe('Mazda MX-5 1.8 (NB)');
});
