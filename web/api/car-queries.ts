import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api-query.ts';

/** The names that identify a car model, in the order of choice. An empty name is not chosen. */
export type CarNames = { make: string; modelFamily: string; variant: string; generation: string };

export type CarName = keyof CarNames;

/** The names are in the order of choice: the choices of each depend on those before it. */
export const CAR_NAMES = [
  'make',
  'modelFamily',
  'variant',
  'generation',
] as const satisfies readonly CarName[];

/** Returns true if all names that the choices of this one depend on are chosen. */
export function isChoosable(names: CarNames, name: CarName): boolean {
  return CAR_NAMES.slice(0, CAR_NAMES.indexOf(name)).every((before) => names[before] !== '');
}

/** Fetches the choices of each name, once the names before it are chosen, unless they are disabled. */
export function useCarChoices({ make, modelFamily, variant, generation }: CarNames, isWanted = true) {
  const isEnabled = (name: CarName) =>
    isWanted && isChoosable({ make, modelFamily, variant, generation }, name);
  return {
    make: useQuery({ ...apiQuery('GET /api/car-library/makes'), enabled: isWanted }),
    modelFamily: useQuery({
      ...apiQuery('GET /api/car-library/model-families', { query: { make } }),
      enabled: isEnabled('modelFamily'),
    }),
    variant: useQuery({
      ...apiQuery('GET /api/car-library/variants', { query: { make, modelFamily } }),
      enabled: isEnabled('variant'),
    }),
    generation: useQuery({
      ...apiQuery('GET /api/car-library/generations', { query: { make, modelFamily, variant } }),
      enabled: isEnabled('generation'),
    }),
  };
}

export const CAR_CHOICE_FAILURES: Record<CarName, string> = {
  make: 'Failed to fetch makes',
  modelFamily: 'Failed to fetch model families',
  variant: 'Failed to fetch variants',
  generation: 'Failed to fetch generations',
};
