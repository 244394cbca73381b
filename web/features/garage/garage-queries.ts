import { keepPreviousData } from '@tanstack/react-query';
import type { UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer, RequestFor } from '#web/api/call-api.ts';
import { isCarNamed, type CarSelection } from './car-selection.ts';

export const ownCarsQuery = apiQuery('GET /api/user-cars');

export const userCarsQuery = (userId: UserId) =>
  apiQuery('GET /api/users/:userId/cars', { params: { userId } });

export type CarBest = Answer<'GET /api/laps/user/:userId/by-car'>[string][number];

export const bestsByCarQuery = (userId: UserId) =>
  apiQuery('GET /api/laps/user/:userId/by-car', { params: { userId } });

/** Returns the query of the car model with the four chosen names; it runs only if its key is not known yet. */
export const exactMatchQuery = ({ modelKey, ...names }: CarSelection) => ({
  ...apiQuery('GET /api/car-library/exact-match', { query: names }),
  enabled: modelKey === null && isCarNamed({ modelKey, ...names }),
});

/** Returns the query of car models that match every word of `text`. The last results stay while new ones load. */
export const carSearchQuery = (text: string) => ({
  ...apiQuery('GET /api/car-library/search', { query: { q: text } }),
  enabled: text.length >= LIMITS.carSearchCharactersMin,
  placeholderData: keepPreviousData,
});

/** Returns the query of car models with similar names. The last results stay while new ones load. */
export const similarCarsQuery = (text: string) => ({
  ...apiQuery('GET /api/car-library/similar', { query: { q: text } }),
  enabled: text.length >= LIMITS.carSearchCharactersMin,
  placeholderData: keepPreviousData,
  // Other drivers may have proposed cars since the last call.
  staleTime: 0,
});

export const raceClassesQuery = apiQuery('GET /api/car-library/race-classes');
export const drivetrainsQuery = apiQuery('GET /api/car-library/drivetrains');

/** A car that is missing from the library, as its driver describes it. */
export type CarProposal = RequestFor<'POST /api/user-cars/proposals'>['body'];
