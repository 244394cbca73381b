import { carEndpoints } from './cars.ts';
import type { Endpoint } from './endpoint.ts';
import { garageEndpoints } from './garage.ts';
import { lapEndpoints } from './laps.ts';
import { sessionEndpoints } from './sessions.ts';
import { systemEndpoints } from './system.ts';
import { trackEndpoints } from './tracks.ts';
import { uploadEndpoints } from './uploads.ts';
import { signInEndpoints, userEndpoints } from './users.ts';

/** Every call of the API. */
export const ENDPOINTS: readonly Endpoint[] = [
  signInEndpoints,
  userEndpoints,
  trackEndpoints,
  lapEndpoints,
  sessionEndpoints,
  uploadEndpoints,
  garageEndpoints,
  carEndpoints,
  systemEndpoints,
].flatMap((group) => Object.values<Endpoint>(group));
