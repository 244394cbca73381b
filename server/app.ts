import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { PageRenderer } from '#contract/pages.ts';
import { signInEndpoints } from '#contract/users.ts';
import { mountApiDocsRoutes } from '#server/features/api-docs/api-docs-routes.ts';
import { mountAuditRoutes } from '#server/features/audit/audit-routes.ts';
import { mountAccountRoutes } from '#server/features/profile/account-routes.ts';
import { mountImportRoutes } from '#server/features/library/import/import-routes.ts';
import { mountCarAdministration } from '#server/features/library/car-administration-routes.ts';
import { mountJobRoutes } from '#server/features/operations/job-routes.ts';
import { mountTrackAdministration } from '#server/features/library/track-administration-routes.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { requireRecentSignIn } from '#server/model/people/recent-sign-in.ts';
import { limitCalls } from '#server/kernel/rate-limits/rate-limit.ts';
import { mountFlagRoutes } from '#server/features/moderation/flag-routes.ts';
import { mountQueueRoutes } from '#server/features/moderation/queue-routes.ts';
import { mountCarRoutes } from '#server/features/garage/car-routes.ts';
import { mountGarageRoutes } from '#server/features/garage/garage-routes.ts';
import { mountImageRoutes } from '#server/features/images/image-routes.ts';
import { openUploadUrls } from '#server/model/images/signed-upload-url.ts';
import { mountBoardRoutes } from '#server/features/boards/board-routes.ts';
import { mountLapViewRoutes } from '#server/features/lap-view/lap-view-routes.ts';
import { mountSessionRoutes } from '#server/features/sessions/session-routes.ts';
import { mountPendingFileRoutes } from '#server/features/upload/pending-file-routes.ts';
import { mountSampleRoutes } from '#server/features/upload/sample-routes.ts';
import { mountTrackProposals } from '#server/features/upload/track-proposal-routes.ts';
import { mountUploadRoutes } from '#server/features/upload/upload-routes.ts';
import { mountPeopleRoutes } from '#server/features/people/people-routes.ts';
import { mountRoleRoutes } from '#server/features/people/role-routes.ts';
import { mountUserRoutes } from '#server/features/profile/user-routes.ts';
import type { Config } from '#server/kernel/config.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { mountApiTokenRoutes } from '#server/features/sign-in/api-token-routes.ts';
import { recogniseTokens } from '#server/features/sign-in/authenticate-tokens.ts';
import {
  mountBackupRoutes,
  refuseChangesDuringRestore,
} from '#server/features/operations/backups/backup-routes.ts';
import type { BackupTarget } from '#server/features/operations/backups/open-target.ts';
import { mountAuthRoutes } from '#server/features/sign-in/auth-routes.ts';
import { mountCredentialRoutes } from '#server/features/sign-in/credential-routes.ts';
import { mountOwnCredentialRoutes } from '#server/features/sign-in/own-credential-routes.ts';
import { ACCOUNT_PAGE_SCRIPT_HASH } from '#server/features/sign-in/local/account-page.ts';
import { demoAccount, LOCAL_ACCOUNTS } from '#server/features/sign-in/local/local-accounts.ts';
import { mountLocalProvider } from '#server/features/sign-in/local/local-provider.ts';
import { openSignInProvider, type SignInProvider } from '#server/features/sign-in/sign-in-provider.ts';
import { recogniseViewers } from '#server/features/sign-in/authenticate.ts';
import { cutOffTrickling } from '#server/kernel/http/body-idle-timeout.ts';
import { mountDemoRoutes } from '#server/features/demo/demo-routes.ts';
import type { DiskSpace } from '#server/kernel/disk-space.ts';
import { refuseChangesWithoutRoom } from '#server/kernel/http/refuse-without-room.ts';
import { type Demo, openDemo } from '#server/features/demo/open-demo.ts';
import { answerError } from '#server/kernel/http/answer-error.ts';
import { readYourWrites } from '#server/kernel/http/read-your-writes.ts';
import { readJsonOnly } from '#server/kernel/http/read-json.ts';
import { guardAgainstCsrf } from '#server/kernel/http/csrf-guard.ts';
import { setSecurityHeaders, storeNothingByDefault } from '#server/kernel/http/security-headers.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { mountPreviewRoutes } from '#server/features/sharing/social-cards/social-card-routes.ts';
import { mountSystemRoutes } from '#server/features/operations/system-routes.ts';
import { redirectMergedTracks } from '#server/model/tracks/redirect-merged-tracks.ts';
import { mountTrackRoutes } from '#server/features/tracks/track-routes.ts';
import {
  answerUnreadableAddresses,
  answerUnreadableRequest,
  rewriteUnreadable,
} from '#server/kernel/http/unreadable-requests.ts';
import type { Metrics } from '#server/kernel/metrics/metrics.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { readHtmlTemplate } from '#server/pages/html-template.ts';
import { mountMailAdministration } from '#server/features/mail/mail-administration-routes.ts';
import { mountMailRoutes } from '#server/features/mail/mail-routes.ts';
import { mountNoticeRoutes } from '#server/features/notices/notice-routes.ts';
import { mountOperationRoutes } from '#server/features/operations/operation-routes.ts';
import { mountSharingRoutes } from '#server/features/sharing/sharing-routes.ts';
import { mountSiteMap } from '#server/pages/site-map.ts';
import { mountWebhookRoutes } from '#server/features/webhooks/webhook-routes.ts';
import { mountWebApp } from '#server/pages/web-app.ts';

/** The settings that the app needs, of all there are. */
export type AppSettings = Pick<
  Config,
  | 'publicUrl'
  | 'adminEmails'
  | 'oidc'
  | 'hasOwnAccounts'
  | 'registration'
  | 'trustProxy'
  | 'driverQuotaBytes'
  | 'mapTiles'
  | 'mail'
  | 'updateUrl'
  | 'backupTarget'
  | 'webhookLoopback'
> & {
  version: string;
  /** Signs short-lived cookies; the same for all copies of the server. */
  cookieSecret: string;
};

/** Everything that the app is made of. The caller opens it, and closes it after the app. */
export type AppDependencies = {
  settings: AppSettings;
  database: OpenDatabase;
  /** Where lap files and images are kept: `openStorage(config, dataFolder)`. */
  storage: Storage;
  /** Reads lap files: `startLapWorkers()`. */
  lapWorkers: LapWorkers;
  /** Folder for files on their way in, on the disk of the storage; nothing in it outlives a start. It must exist. */
  incomingFolder: string;
  /** Folder of the built web client; without a client in it, the API is served alone. */
  webFolder: string;
  /** What was built to render the pages of that client, unless it is given. */
  renderer?: PageRenderer;
  logger?: FastifyBaseLogger;
  metrics?: Metrics;
  /** Where it is given, changes are refused while there is no room for them. */
  diskSpace?: DiskSpace | null;
  /** Whether this copy of the server is stopping and only answers until load balancers have noticed. */
  isDraining?: () => boolean;
  /** Without it, only what there is of a demo community is looked after. */
  demo?: Demo;
  /** Without it, no backups are made. */
  backupTarget?: BackupTarget | null;
};

const LOCAL_ADMINISTRATORS = LOCAL_ACCOUNTS.flatMap(({ isAdministrator, email }) =>
  isAdministrator ? [email] : [],
);

// As much as Node takes for a whole request line: the schemas say what is too long, and in words.
const PARAMETER_CHARACTERS_MAX = 16_384;

// Phones at a track lose their network for a while, and some of them have a kilobyte a second.
const TRANSFER_LIMITS = { intervalMs: 60_000, bytesMin: 32_768, totalMs: 60 * 60_000 };

function guardCalls(app: FastifyInstance, dependencies: AppDependencies): void {
  const { settings, diskSpace, backupTarget, database } = dependencies;
  app.decorate('endpointHooks', {
    requireRecentSignIn: requireRecentSignIn(dependencies),
    insertAuditEntry,
  });
  cutOffTrickling(app, TRANSFER_LIMITS);
  storeNothingByDefault(app);
  readJsonOnly(app);
  guardAgainstCsrf(app, settings.publicUrl);
  if (diskSpace) refuseChangesWithoutRoom(app, diskSpace);
  if (backupTarget) refuseChangesDuringRestore(app, database);
}

/** Puts the app together; it does not listen yet. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { settings, database, storage, webFolder, logger } = dependencies;
  const template = readHtmlTemplate(webFolder);
  const app = fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    rewriteUrl: rewriteUnreadable,
    clientErrorHandler: answerUnreadableRequest,
    trustProxy: settings.trustProxy,
    // Requests that are on their way while the server closes are answered like all others.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAMETER_CHARACTERS_MAX },
  });
  app.setErrorHandler(redirectMergedTracks(database));
  dependencies.metrics?.timeCalls(app);
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  await setSecurityHeaders(app, {
    publicUrl: settings.publicUrl,
    inlineScriptHashes: [...(template?.inlineScriptHashes ?? []), ACCOUNT_PAGE_SCRIPT_HASH],
    uploadOrigin: storage.uploadAddresses?.origin ?? null,
    tilesOrigin: settings.mapTiles && new URL(settings.mapTiles.url).origin,
  });
  await app.register(compress);
  await app.register(cookie, { secret: settings.cookieSecret });
  await app.register(multipart);
  guardCalls(app, dependencies);
  const acceptsLocalAccounts = hasDemoAccounts(settings);
  const adminEmails = new Set([
    ...settings.adminEmails,
    ...(acceptsLocalAccounts ? LOCAL_ADMINISTRATORS : []),
  ]);
  const viewers = { publicUrl: settings.publicUrl, adminEmails, acceptsLocalAccounts };
  recogniseViewers(app, database, viewers);
  recogniseTokens(app, database, viewers);
  readYourWrites(app, database);
  answerUnreadableAddresses(app);
  await limitCalls(app, database);

  const demo =
    dependencies.demo ?? (await openDemo({ ...dependencies, db: database.db, log: app.log }, false));
  await mountSignIn(app, dependencies, demo);
  const addresses = storage.uploadAddresses ?? openUploadUrls(settings.publicUrl, settings.cookieSecret);
  const images = { ...dependencies, addresses, secret: settings.cookieSecret };
  mountUserRoutes(app, images);
  mountRoleRoutes(app, database, adminEmails);
  mountPeopleRoutes(app, { ...images, adminEmails });
  mountAccountRoutes(app, dependencies);
  mountTrackRoutes(app, database, settings);
  mountPreviewRoutes(app, database);
  await mountLapRoutes(app, dependencies);
  mountGarageRoutes(app, images);
  await mountImageRoutes(app, images);
  mountCarRoutes(app, database);
  await mountAdministration(app, dependencies);
  mountSystemRoutes(app, dependencies);
  mountApiDocsRoutes(app, dependencies);
  mountClubRoutes(app, dependencies);
  mountDemoRoutes(app, demo);
  await mountWebApp(app, { ...dependencies, template, publicUrl: settings.publicUrl });
  mountSiteMap(app, database, settings.publicUrl);
  return app;
}

async function mountAdministration(app: FastifyInstance, dependencies: AppDependencies): Promise<void> {
  await mountImportRoutes(app, dependencies);
  mountTrackAdministration(app, dependencies);
  mountAuditRoutes(app, dependencies);
  mountCarAdministration(app, dependencies.database);
  mountJobRoutes(app, dependencies.database);
}

async function mountLapRoutes(app: FastifyInstance, dependencies: AppDependencies): Promise<void> {
  mountBoardRoutes(app, dependencies.database);
  mountLapViewRoutes(app, dependencies);
  mountSessionRoutes(app, dependencies);
  mountFlagRoutes(app, dependencies.database);
  mountQueueRoutes(app, dependencies);
  mountUploadRoutes(app, dependencies);
  mountTrackProposals(app, dependencies);
  await mountPendingFileRoutes(app, { ...dependencies, db: dependencies.database.db });
  mountSampleRoutes(app);
}

function mountClubRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  mountNoticeRoutes(app, dependencies.database);
  mountApiTokenRoutes(app, dependencies);
  mountSharingRoutes(app, dependencies);
  mountWebhookRoutes(app, dependencies);
  mountOperationRoutes(app, dependencies);
  mountBackupRoutes(app, dependencies);
}

/** They need no password, so they are for this computer only. */
function hasDemoAccounts({ oidc, hasOwnAccounts }: AppSettings): boolean {
  return oidc === null && !hasOwnAccounts;
}

async function mountSignIn(
  app: FastifyInstance,
  { database, settings }: AppDependencies,
  demo: Demo,
): Promise<void> {
  const provider = await openProvider(app, settings, demo);
  mountAuthRoutes(app, { database, provider, publicUrl: settings.publicUrl });
  const parts = { database, settings, provider };
  mountCredentialRoutes(app, parts);
  mountOwnCredentialRoutes(app, parts);
  await mountMailRoutes(app, parts);
  mountMailAdministration(app, parts);
}

async function openProvider(
  app: FastifyInstance,
  settings: AppSettings,
  demo: Demo,
): Promise<SignInProvider | null> {
  const { publicUrl, cookieSecret, oidc } = settings;
  if (!oidc && !hasDemoAccounts(settings)) return null;
  const redirectUri = publicUrl + signInEndpoints.callback.path;
  const provider = oidc
    ? { ...oidc, local: null }
    : await mountLocalProvider(app, {
        publicUrl,
        cookieSecret,
        redirectUri,
        listDemoAccounts: async () => (await demo.listAccounts()).map(demoAccount),
      });
  return openSignInProvider(provider, redirectUri);
}
