import { accountEndpoints } from './account.ts';
import { apiTokenEndpoints } from './api-tokens.ts';
import { backupEndpoints } from './backups.ts';
import { carAdministrationEndpoints } from './admin-cars.ts';
import { jobEndpoints } from './admin-jobs.ts';
import { trackAdministrationEndpoints } from './admin-tracks.ts';
import { adminEndpoints } from './admin.ts';
import { carEndpoints } from './cars.ts';
import { credentialEndpoints } from './credentials.ts';
import { ownCredentialEndpoints } from './own-credentials.ts';
import { demoEndpoints } from './demo.ts';
import { driverLapsEndpoint } from './driver-laps.ts';
import type { Endpoint } from './endpoint.ts';
import { flagEndpoints } from './flags.ts';
import { garageEndpoints } from './garage.ts';
import { imageEndpoints } from './images.ts';
import { mailAdministrationEndpoints, mailEndpoints, setUpMailEndpoints } from './mail.ts';
import { noticeEndpoints } from './notices.ts';
import { nameCornersEndpoint } from './corner-names.ts';
import { lapProofEndpoints } from './lap-proof.ts';
import { lapViewEndpoints } from './lap-view.ts';
import { lapEndpoints } from './laps.ts';
import { recordHistoryEndpoint } from './record-history.ts';
import { operationEndpoints } from './operations.ts';
import { roleEndpoints } from './roles.ts';
import { peopleEndpoints } from './people.ts';
import { sampleEndpoints } from './samples.ts';
import { pendingFileEndpoints } from './pending-files.ts';
import { sessionEndpoints } from './sessions.ts';
import { systemEndpoints } from './system.ts';
import { trackProposalEndpoints } from './track-proposals.ts';
import { trackEndpoints } from './tracks.ts';
import { webhookEndpoints } from './webhooks.ts';
import { uploadEndpoints } from './uploads.ts';
import { sharingEndpoints } from './sharing.ts';
import { signInEndpoints, userEndpoints } from './users.ts';

/** In the order of the documentation, under its headings. */
const GROUPS = {
  'Signing in': { ...signInEndpoints, ...credentialEndpoints, ...setUpMailEndpoints, ...mailEndpoints },
  'Users and drivers': userEndpoints,
  'Own account': {
    export: accountEndpoints.export,
    remove: accountEndpoints.remove,
    ...ownCredentialEndpoints,
  },
  'API tokens': apiTokenEndpoints,
  Tracks: trackEndpoints,
  'Laps and boards': { ...lapEndpoints, recordHistory: recordHistoryEndpoint },
  'Single laps': { ...lapViewEndpoints, ...lapProofEndpoints, driverLaps: driverLapsEndpoint },
  Sharing: sharingEndpoints,
  Notices: noticeEndpoints,
  Flags: flagEndpoints,
  Sessions: sessionEndpoints,
  'Lap files': { ...uploadEndpoints, ...pendingFileEndpoints, sample: sampleEndpoints.get },
  Garage: garageEndpoints,
  Images: imageEndpoints,
  'Car library': carEndpoints,
  Administration: {
    ...adminEndpoints,
    ...trackAdministrationEndpoints,
    ...trackProposalEndpoints,
    ...carAdministrationEndpoints,
    nameCorners: nameCornersEndpoint,
    ...peopleEndpoints,
    operations: operationEndpoints.status,
    jobs: jobEndpoints.list,
    backups: backupEndpoints.list,
    backUp: backupEndpoints.create,
    restoreBackup: backupEndpoints.restore,
    ...mailAdministrationEndpoints,
    webhooks: webhookEndpoints.list,
    addWebhook: webhookEndpoints.create,
    changeWebhook: webhookEndpoints.change,
    removeWebhook: webhookEndpoints.remove,
    testWebhook: webhookEndpoints.test,
    setRole: roleEndpoints.set,
  },
  'Demo community': demoEndpoints,
  System: systemEndpoints,
} as const;

type Values<Group> = Group[keyof Group];
type EndpointsOf<Group> = Group extends unknown ? Values<Group> : never;

/** Any call of the API, by its exact type. */
export type ApiEndpoint = EndpointsOf<Values<typeof GROUPS>>;

/** Every call of the API, by the heading that it stands under in the documentation. */
export const ENDPOINT_GROUPS: readonly (readonly [heading: string, endpoints: readonly Endpoint[]])[] =
  Object.entries(GROUPS).map(([heading, group]) => [heading, Object.values<Endpoint>(group)]);

/** Every call of the API. */
export const ENDPOINTS: readonly Endpoint[] = ENDPOINT_GROUPS.flatMap(([, endpoints]) => endpoints);
