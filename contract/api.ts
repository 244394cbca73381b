import { auditEndpoints } from '#contract/audit/schemas.ts';
import { accountEndpoints } from '#contract/profile/schemas.ts';
import { apiTokenEndpoints } from '#contract/sign-in/api-tokens.ts';
import { backupEndpoints } from '#contract/operations/backups.ts';
import { carAdministrationEndpoints } from '#contract/cars/administration.ts';
import { jobEndpoints } from '#contract/operations/jobs.ts';
import { trackAdministrationEndpoints } from '#contract/tracks/administration.ts';
import { adminEndpoints } from '#contract/library/schemas.ts';
import { carEndpoints } from '#contract/cars/schemas.ts';
import { credentialEndpoints } from '#contract/sign-in/schemas.ts';
import { ownCredentialEndpoints } from '#contract/sign-in/own-credentials.ts';
import { demoEndpoints } from '#contract/demo/schemas.ts';
import { driverLapsEndpoint } from '#contract/progress/schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { flagEndpoints } from '#contract/moderation/schemas.ts';
import { moderationEndpoints } from '#contract/moderation/evidence.ts';
import { garageEndpoints } from '#contract/garage/schemas.ts';
import { imageEndpoints } from '#contract/images/schemas.ts';
import { mailAdministrationEndpoints, mailEndpoints, setUpMailEndpoints } from '#contract/mail/schemas.ts';
import { noticeEndpoints } from '#contract/notices/schemas.ts';
import { nameCornersEndpoint } from '#contract/lap-view/corner-names.ts';
import { lapProofEndpoints } from '#contract/lap-view/proof.ts';
import { lapViewEndpoints } from '#contract/lap-view/schemas.ts';
import { savedComparisonEndpoints } from '#contract/lap-view/saved-comparisons.ts';
import { liveEndpoints } from '#contract/live/schemas.ts';
import { lapEndpoints } from '#contract/laps/schemas.ts';
import { activityEndpoint, recordHistoryEndpoint, simulatorBoardEndpoint } from '#contract/boards/schemas.ts';
import { firstStepEndpoints } from '#contract/operations/first-steps.ts';
import { operationEndpoints } from '#contract/operations/schemas.ts';
import { roleEndpoints } from '#contract/people/roles.ts';
import { peopleEndpoints } from '#contract/people/administration.ts';
import { refusedFileEndpoints } from '#contract/upload/refused-files.ts';
import { sampleEndpoints } from '#contract/upload/samples.ts';
import { pendingFileEndpoints } from '#contract/upload/pending-files.ts';
import { sessionEndpoints } from '#contract/sessions/schemas.ts';
import { streamEndpoint } from '#contract/stream/schemas.ts';
import { systemEndpoints } from '#contract/operations/system.ts';
import { trackProposalEndpoints } from '#contract/tracks/proposals.ts';
import { courseEndpoints } from '#contract/tracks/courses.ts';
import { trackEndpoints } from '#contract/tracks/schemas.ts';
import { trackSetEndpoints } from '#contract/tracks/sets.ts';
import { webhookEndpoints } from '#contract/webhooks/schemas.ts';
import { videoEndpoints } from '#contract/lap-view/videos.ts';
import { uploadEndpoints } from '#contract/upload/schemas.ts';
import { raceEventEndpoints } from '#contract/race-events/endpoints.ts';
import { sharingEndpoints } from '#contract/sharing/schemas.ts';
import { signInEndpoints, userEndpoints } from '#contract/people/schemas.ts';

/** The groups follow the order of the documentation; the keys are its headings. */
const GROUPS = {
  'Signing in': { ...signInEndpoints, ...credentialEndpoints, ...setUpMailEndpoints, ...mailEndpoints },
  'Users and drivers': userEndpoints,
  'Own account': {
    export: accountEndpoints.export,
    remove: accountEndpoints.remove,
    keep: accountEndpoints.keep,
    ...ownCredentialEndpoints,
  },
  'API tokens': apiTokenEndpoints,
  Tracks: {
    ...trackEndpoints,
    ...courseEndpoints,
    trackSets: trackSetEndpoints.list,
    askForTracks: trackSetEndpoints.ask,
  },
  'Laps and boards': {
    ...lapEndpoints,
    recordHistory: recordHistoryEndpoint,
    activity: activityEndpoint,
    simulatorBoard: simulatorBoardEndpoint,
  },
  Events: raceEventEndpoints,
  'Single laps': {
    ...lapViewEndpoints,
    ...lapProofEndpoints,
    listVideos: videoEndpoints.list,
    saveVideo: videoEndpoints.save,
    proveByVideo: videoEndpoints.prove,
    driverLaps: driverLapsEndpoint,
    listComparisons: savedComparisonEndpoints.list,
    saveComparison: savedComparisonEndpoints.save,
    renameComparison: savedComparisonEndpoints.rename,
    deleteComparison: savedComparisonEndpoints.remove,
  },
  Sharing: sharingEndpoints,
  Live: { stream: streamEndpoint, ...liveEndpoints },
  Notices: noticeEndpoints,
  Flags: { ...flagEndpoints, ...moderationEndpoints },
  Sessions: sessionEndpoints,
  'Lap files': {
    ...uploadEndpoints,
    ...pendingFileEndpoints,
    sendRefused: refusedFileEndpoints.send,
    samples: sampleEndpoints.list,
    sample: sampleEndpoints.get,
  },
  Garage: garageEndpoints,
  Images: imageEndpoints,
  'Car library': carEndpoints,
  Administration: {
    ...adminEndpoints,
    ...trackAdministrationEndpoints,
    fetchTrackSet: trackSetEndpoints.fetch,
    removeTrackSet: trackSetEndpoints.remove,
    ...auditEndpoints,
    ...trackProposalEndpoints,
    ...carAdministrationEndpoints,
    nameCorners: nameCornersEndpoint,
    ...peopleEndpoints,
    operations: operationEndpoints.status,
    firstSteps: firstStepEndpoints.list,
    hideFirstSteps: firstStepEndpoints.hide,
    jobs: jobEndpoints.list,
    backups: backupEndpoints.list,
    backUp: backupEndpoints.create,
    restoreBackup: backupEndpoints.restore,
    ...mailAdministrationEndpoints,
    webhooks: webhookEndpoints.list,
    addWebhook: webhookEndpoints.create,
    changeWebhook: webhookEndpoints.change,
    deleteWebhook: webhookEndpoints.remove,
    testWebhook: webhookEndpoints.test,
    refusedFiles: refusedFileEndpoints.list,
    downloadRefusedFile: refusedFileEndpoints.download,
    deleteRefusedFile: refusedFileEndpoints.remove,
    setRole: roleEndpoints.set,
  },
  'Demo community': demoEndpoints,
  System: systemEndpoints,
} as const;

type Values<Group> = Group[keyof Group];
type EndpointsOf<Group> = Group extends unknown ? Values<Group> : never;

export type ApiEndpoint = EndpointsOf<Values<typeof GROUPS>>;

export const ENDPOINT_GROUPS: readonly (readonly [heading: string, endpoints: readonly Endpoint[]])[] =
  Object.entries(GROUPS).map(([heading, group]) => [heading, Object.values<Endpoint>(group)]);

export const ENDPOINTS: readonly Endpoint[] = ENDPOINT_GROUPS.flatMap(([, endpoints]) => endpoints);
