import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { PageRenderer } from '#contract/pages.ts';
import { mountApiDocsRoutes } from '#server/features/api-docs/api-docs-routes.ts';
import { mountAuditRoutes } from '#server/features/audit/audit-routes.ts';
import { mountAccountRoutes } from '#server/features/profile/account-routes.ts';
import { mountImportRoutes } from '#server/features/library/import/import-routes.ts';
import { mountCarAdministrationRoutes } from '#server/features/library/car-administration-routes.ts';
import { mountJobRoutes } from '#server/features/operations/job-routes.ts';
import { mountTrackSetRoutes } from '#server/features/library/track-sets/track-set-routes.ts';
import { mountTrackAdministrationRoutes } from '#server/features/library/track-administration-routes.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { requireRecentSignIn } from '#server/model/people/recent-sign-in.ts';
import { limitCalls } from '#server/kernel/rate-limits/rate-limit.ts';
import { mountFlagRoutes } from '#server/features/moderation/flag-routes.ts';
import { mountModerationRoutes } from '#server/features/moderation/moderation-routes.ts';
import { mountQueueRoutes } from '#server/features/moderation/queue-routes.ts';
import { mountCarRoutes } from '#server/features/garage/car-routes.ts';
import { mountGarageRoutes } from '#server/features/garage/garage-routes.ts';
import { mountImageRoutes } from '#server/features/images/image-routes.ts';
import { openUploadUrls } from '#server/model/images/signed-upload-url.ts';
import { mountBoardRoutes } from '#server/features/boards/board-routes.ts';
import { mountLapViewRoutes } from '#server/features/lap-view/lap-view-routes.ts';
import { mountProgressRoutes } from '#server/features/progress/progress-routes.ts';
import { mountSessionRoutes } from '#server/features/sessions/session-routes.ts';
import { mountPendingFileRoutes } from '#server/features/upload/pending-file-routes.ts';
import { mountSampleRoutes } from '#server/features/upload/sample-routes.ts';
import { mountTrackProposalRoutes } from '#server/features/upload/track-proposal-routes.ts';
import { mountCourseRoutes } from '#server/features/upload/course-routes.ts';
import { mountRefusedFileRoutes } from '#server/features/upload/refused-file-routes.ts';
import { mountUploadRoutes } from '#server/features/upload/upload-routes.ts';
import { mountPeopleRoutes } from '#server/features/people/people-routes.ts';
import { mountRoleRoutes } from '#server/features/people/role-routes.ts';
import { mountUserRoutes } from '#server/features/profile/user-routes.ts';
import { mountApiTokenRoutes } from '#server/features/sign-in/api-token-routes.ts';
import { authenticateTokens } from '#server/features/sign-in/authenticate-tokens.ts';
import {
  mountBackupRoutes,
  refuseChangesDuringRestore,
} from '#server/features/operations/backups/backup-routes.ts';
import { mountAuthRoutes } from '#server/features/sign-in/auth-routes.ts';
import { mountCredentialRoutes } from '#server/features/sign-in/credential-routes.ts';
import { mountOwnCredentialRoutes } from '#server/features/sign-in/own-credential-routes.ts';
import { ACCOUNT_PAGE_SCRIPT_HASH } from '#server/features/sign-in/local/account-page.ts';
import { hasLocalAccounts, LOCAL_ADMINISTRATORS } from '#server/features/sign-in/local/local-accounts.ts';
import { openProvider } from '#server/features/sign-in/open-provider.ts';
import { authenticateViewers } from '#server/features/sign-in/authenticate.ts';
import { limitBodyIdleTime } from '#server/kernel/http/body-idle-timeout.ts';
import { mountDemoRoutes } from '#server/features/demo/demo-routes.ts';
import type { DiskSpace } from '#server/kernel/files/disk-space.ts';
import { refuseChangesWithoutRoom } from '#server/kernel/http/refuse-without-room.ts';
import { type Demo, openDemo } from '#server/features/demo/open-demo.ts';
import { answerError } from '#server/kernel/http/answer-error.ts';
import { readYourWrites } from '#server/kernel/http/read-your-writes.ts';
import { readJsonOnly } from '#server/kernel/http/read-json.ts';
import { guardAgainstCsrf } from '#server/kernel/http/csrf-guard.ts';
import { setSecurityHeaders, storeNothingByDefault } from '#server/kernel/http/security-headers.ts';
import { mountSocialCardRoutes } from '#server/features/sharing/social-cards/social-card-routes.ts';
import { mountSystemRoutes } from '#server/features/operations/system-routes.ts';
import { ALL_PUBLISHED_SETS } from '#server/model/track-sets/published-sets.ts';
import { redirectMergedTracks } from '#server/model/tracks/redirect-merged-tracks.ts';
import { mountTrackRoutes } from '#server/features/tracks/track-routes.ts';
import {
  answerUnreadableAddresses,
  answerUnreadableRequest,
  rewriteUnreadable,
} from '#server/kernel/http/unreadable-requests.ts';
import type { Metrics } from '#server/kernel/metrics/metrics.ts';
import { readHtmlTemplate } from '#server/pages/html-template.ts';
import { mountMailAdministrationRoutes } from '#server/features/mail/mail-administration-routes.ts';
import { mountUnsubscribeRoutes } from '#server/features/mail/unsubscribe-routes.ts';
import { mountLinkMailRoutes } from '#server/features/sign-in/link-mail-routes.ts';
import type { Services } from '#server/model/services.ts';
import { mountNoticeRoutes } from '#server/features/notices/notice-routes.ts';
import { mountRaceEventRoutes } from '#server/features/race-events/race-event-routes.ts';
import { mountLiveRoutes } from '#server/features/live/live-routes.ts';
import { mountStreamRoutes } from '#server/features/stream/stream-routes.ts';
import { mountFirstStepRoutes } from '#server/features/operations/first-step-routes.ts';
import { mountOperationRoutes } from '#server/features/operations/operation-routes.ts';
import { mountSharingRoutes } from '#server/features/sharing/sharing-routes.ts';
import { mountSiteMap } from '#server/pages/site-map.ts';
import { mountWebhookRoutes } from '#server/features/webhooks/webhook-routes.ts';
import { mountWebApp } from '#server/pages/web-app.ts';

/** The app consists of these parts. The caller opens them, and closes them after the app. */
export type AppOptions = Pick<
  Services,
  'settings' | 'database' | 'storage' | 'lapWorkers' | 'incomingFolder'
> &
  Partial<
    Pick<Services, 'backupTarget' | 'publishedSets' | 'isDraining' | 'deleteSetUpLink' | 'noticePollMs'>
  > & {
    /** The folder of the built web client; if it has no client, only the API is served. */
    webFolder: string;
    /** Renders the pages of that client; the default is the renderer that was built with the client. */
    renderer?: PageRenderer;
    logger?: FastifyBaseLogger;
    metrics?: Metrics;
    /** If given, changes are refused while the disk is full. */
    diskSpace?: DiskSpace | null;
    /** The default serves a demo community that exists and makes none. */
    demo?: Demo;
  };

const ROUTES: readonly ((app: FastifyInstance, services: Services) => void | Promise<void>)[] = [
  mountLinkMailRoutes,
  mountApiTokenRoutes,
  mountUserRoutes,
  mountAccountRoutes,
  mountRoleRoutes,
  mountPeopleRoutes,
  mountGarageRoutes,
  mountCarRoutes,
  mountImageRoutes,
  mountTrackRoutes,
  mountBoardRoutes,
  mountLapViewRoutes,
  mountProgressRoutes,
  mountSessionRoutes,
  mountUploadRoutes,
  mountRefusedFileRoutes,
  mountPendingFileRoutes,
  mountTrackProposalRoutes,
  mountCourseRoutes,
  mountSampleRoutes,
  mountFlagRoutes,
  mountQueueRoutes,
  mountModerationRoutes,
  mountSharingRoutes,
  mountSocialCardRoutes,
  mountNoticeRoutes,
  mountStreamRoutes,
  mountLiveRoutes,
  mountRaceEventRoutes,
  mountUnsubscribeRoutes,
  mountMailAdministrationRoutes,
  mountWebhookRoutes,
  mountImportRoutes,
  mountTrackSetRoutes,
  mountTrackAdministrationRoutes,
  mountCarAdministrationRoutes,
  mountAuditRoutes,
  mountOperationRoutes,
  mountFirstStepRoutes,
  mountJobRoutes,
  mountBackupRoutes,
  mountSystemRoutes,
  mountApiDocsRoutes,
  mountSiteMap,
];

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, webFolder } = options;
  const template = readHtmlTemplate(webFolder);
  const app = createServer(options);
  const services = openServices(options);
  setSecurityHeaders(app, {
    publicUrl: settings.publicUrl,
    inlineScriptHashes: [...(template?.inlineScriptHashes ?? []), ACCOUNT_PAGE_SCRIPT_HASH],
    uploadOrigin: options.storage.uploadAddresses?.origin ?? null,
    tilesOrigin: settings.mapTiles && new URL(settings.mapTiles.url).origin,
  });
  await app.register(compress);
  await app.register(cookie, { secret: settings.cookieSecret });
  await app.register(multipart);
  guardCalls(app, options);
  authenticateCalls(app, services);
  await limitCalls(app, services.database);

  const demo =
    options.demo ?? (await openDemo({ ...services, db: services.database.db, log: app.log }, false));
  const signIn = { ...services, provider: await openProvider(app, settings, demo.listAccounts) };
  mountAuthRoutes(app, signIn);
  mountCredentialRoutes(app, signIn);
  mountOwnCredentialRoutes(app, signIn);
  for (const mount of ROUTES) await mount(app, services);
  mountDemoRoutes(app, demo);
  await mountWebApp(app, { ...options, template, publicUrl: settings.publicUrl });
  return app;
}

// Node accepts this much for a whole request line: the schemas limit each value, with an error message.
const PARAMETER_CHARACTERS_MAX = 16_384;

function createServer({ settings, database, logger, metrics }: AppOptions): FastifyInstance {
  const app = fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    rewriteUrl: rewriteUnreadable,
    clientErrorHandler: answerUnreadableRequest,
    trustProxy: settings.trustProxy,
    // Requests that arrive while the server closes are answered like all others.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAMETER_CHARACTERS_MAX },
  });
  app.setErrorHandler(redirectMergedTracks(database));
  metrics?.timeCalls(app);
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  return app;
}

const NOTICE_POLL_MS = 3_000;

function openServices(options: AppOptions): Services {
  const { settings, storage } = options;
  return {
    ...options,
    uploadUrls: storage.uploadAddresses ?? openUploadUrls(settings.publicUrl, settings.cookieSecret),
    adminEmails: new Set([
      ...settings.adminEmails,
      ...(hasLocalAccounts(settings) ? LOCAL_ADMINISTRATORS : []),
    ]),
    backupTarget: options.backupTarget ?? null,
    publishedSets: options.publishedSets ?? ALL_PUBLISHED_SETS,
    isDraining: options.isDraining ?? (() => false),
    deleteSetUpLink: options.deleteSetUpLink ?? (async () => {}),
    noticePollMs: options.noticePollMs ?? NOTICE_POLL_MS,
  };
}

// Phones at a track lose their network for a while, and some of them have a kilobyte a second.
const TRANSFER_LIMITS = { intervalMs: 60_000, bytesMin: 32_768, totalMs: 60 * 60_000 };

function guardCalls(app: FastifyInstance, options: AppOptions): void {
  const { settings, diskSpace, backupTarget, database } = options;
  limitBodyIdleTime(app, TRANSFER_LIMITS);
  storeNothingByDefault(app);
  readJsonOnly(app);
  guardAgainstCsrf(app, settings.publicUrl);
  if (diskSpace) refuseChangesWithoutRoom(app, diskSpace);
  if (backupTarget) refuseChangesDuringRestore(app, database);
}

function authenticateCalls(app: FastifyInstance, services: Services): void {
  const { database, settings, adminEmails } = services;
  const { publicUrl } = settings;
  const viewers = { publicUrl, adminEmails, acceptsLocalAccounts: hasLocalAccounts(settings) };
  const byCookie = authenticateViewers(app, database, viewers);
  const byToken = authenticateTokens(app, database, viewers);
  app.decorate('endpointHooks', {
    authenticate: async (request) => {
      await byCookie(request);
      await byToken(request);
    },
    requireRecentSignIn: requireRecentSignIn(services),
    insertAuditEntry,
  });
  readYourWrites(app, database);
  answerUnreadableAddresses(app);
}
