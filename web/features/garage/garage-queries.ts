import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { LIMITS } from '#contract/limits.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi, type RequestFor } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { uploadImage, type UploadImageOptions } from '#web/api/send-with-progress.ts';
import { isCarNamed, type CarSelection } from './car-selection.ts';

/** The garage of the signed-in driver. */
export const ownCarsQuery = apiQuery('GET /api/user-cars');

/** The garage of any driver. */
export const userCarsQuery = (userId: string) =>
  apiQuery('GET /api/users/:userId/cars', { params: { userId } });

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

/** Adds a car model to the garage of the signed-in driver; gives the id of the car there. */
export async function addCar(modelKey: string, queryClient: QueryClient): Promise<string> {
  const { id } = await callApi('POST /api/user-cars', { body: { modelKey, nickname: null } });
  await refreshGarages(queryClient);
  return id;
}

export type CarProposal = RequestFor<'POST /api/user-cars/proposals'>['body'];

/** Adds a car model that the library lacks to it and to the garage of the signed-in driver; gives the id of the car there. */
export async function proposeCar(proposal: CarProposal, queryClient: QueryClient): Promise<string> {
  const { id } = await callApi('POST /api/user-cars/proposals', { body: proposal });
  await refresh(['user-cars', 'users', 'car-library'], queryClient);
  return id;
}

/** Removes a car from the garage of the signed-in driver. */
export async function removeCar(id: string, queryClient: QueryClient): Promise<void> {
  await callApi('DELETE /api/user-cars/:id', { params: { id } });
  await refreshGarages(queryClient);
}

/** Makes an image the photo of a car in the garage of the signed-in driver. */
export async function uploadCarPhoto(
  { id, file }: { id: string; file: File },
  options: UploadImageOptions,
  queryClient: QueryClient,
): Promise<void> {
  const photoURL = await uploadImage(file, options);
  await callApi('PUT /api/cars/:id/photo', { params: { id }, body: { photoURL } });
  await refreshGarages(queryClient);
}

/** Removes the photo of a car in the garage of the signed-in driver. */
export async function removeCarPhoto(id: string, queryClient: QueryClient): Promise<void> {
  await callApi('DELETE /api/cars/:id/photo', { params: { id } });
  await refreshGarages(queryClient);
}

async function refreshGarages(queryClient: QueryClient): Promise<void> {
  await refresh(['user-cars', 'users'], queryClient);
}
