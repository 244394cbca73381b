import { accountEndpoints } from './account.ts';
import { adminEndpoints } from './admin.ts';
import { carEndpoints } from './cars.ts';
import type { Endpoint } from './endpoint.ts';
import { garageEndpoints } from './garage.ts';
import { imageEndpoints } from './images.ts';
import { lapEndpoints } from './laps.ts';
import { sessionEndpoints } from './sessions.ts';
import { systemEndpoints } from './system.ts';
import { trackEndpoints } from './tracks.ts';
import { uploadEndpoints } from './uploads.ts';
import { signInEndpoints, userEndpoints } from './users.ts';

const GROUPS = [
  signInEndpoints,
  userEndpoints,
  accountEndpoints,
  trackEndpoints,
  lapEndpoints,
  sessionEndpoints,
  uploadEndpoints,
  garageEndpoints,
  imageEndpoints,
  carEndpoints,
  adminEndpoints,
  systemEndpoints,
] as const;

type Values<Group> = Group[keyof Group];
type EndpointsOf<Group> = Group extends unknown ? Values<Group> : never;

/** Any call of the API, by its exact type. */
export type ApiEndpoint = EndpointsOf<(typeof GROUPS)[number]>;

/** Every call of the API. */
export const ENDPOINTS: readonly Endpoint[] = GROUPS.flatMap((group) => Object.values<Endpoint>(group));
