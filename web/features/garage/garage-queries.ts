import { keepPreviousData } from '@tanstack/react-query';
import { LIMITS } from '#contract/limits.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer, RequestFor } from '#web/api/call-api.ts';
import { isCarNamed, type CarSelection } from './car-selection.ts';

/** The garage of the signed-in driver. */
export const ownCarsQuery = apiQuery('GET /api/user-cars');

/** The garage of any driver. */
export const userCarsQuery = (userId: string) =>
  apiQuery('GET /api/users/:userId/cars', { params: { userId } });

/** A car's best lap on a track; the time in milliseconds. */
export type CarBest = Answer<'GET /api/laps/user/:userId/by-car'>[string][number];

/** The best laps of a driver, by the id of the car. */
export const bestsByCarQuery = (userId: string) =>
  apiQuery('GET /api/laps/user/:userId/by-car', { params: { userId } });

/** The car model with the four chosen names; needed only where its key is not known yet. */
export const exactMatchQuery = ({ modelKey, ...names }: CarSelection) => ({
  ...apiQuery('GET /api/car-library/exact-match', { query: names }),
  enabled: modelKey === null && isCarNamed({ modelKey, ...names }),
});

/** Car models that hold every word of `text`. The last results stay while new ones are loading. */
export const carSearchQuery = (text: string) => ({
  ...apiQuery('GET /api/car-library/search', { query: { q: text } }),
  enabled: text.length >= LIMITS.carSearchCharactersMin,
  placeholderData: keepPreviousData,
});

/** Car models whose names come closest to `text`. The last ones stay while new ones are loading. */
export const similarCarsQuery = (text: string) => ({
  ...apiQuery('GET /api/car-library/similar', { query: { q: text } }),
  enabled: text.length >= LIMITS.carSearchCharactersMin,
  placeholderData: keepPreviousData,
  // Other drivers propose cars meanwhile.
  staleTime: 0,
});

/** The classes and drivetrains that a proposed car may have. */
export const raceClassesQuery = apiQuery('GET /api/car-library/race-classes');
export const drivetrainsQuery = apiQuery('GET /api/car-library/drivetrains');

/** A car that the library lacks, as its driver describes it. */
export type CarProposal = RequestFor<'POST /api/user-cars/proposals'>['body'];
