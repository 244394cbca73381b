import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { StartError } from '#server/kernel/errors.ts';
import { MAIL_SENDER } from '#contract/mail/settings.ts';
import { REGISTRATIONS, type Registration } from '#contract/sign-in/labels.ts';
import { findContradictions, isLoopbackOnly, isSiteAddress } from './setting-contradictions.ts';

/** Settings are wrong or missing; `problems` has one sentence for each. */
export class ConfigError extends StartError {
  override name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `Pitboard cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  name: string;
};

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Config = {
  port: number;
  host: string;
  /** The address that browsers use, without a slash at the end. */
  publicUrl: string;
  /** The folder of the embedded database and of stored files; absolute. */
  dataFolder: string;
  /** Programs of another PostgreSQL for the embedded database. */
  postgresBinFolder: string | null;
  /** The address of the database; null: the embedded database. */
  databaseUrl: string | null;
  /** The same database without the pooler that `databaseUrl` may lead to, for what needs a session: backups, migrations, `distribute`. */
  databaseDirectUrl: string | null;
  /** A streaming replica of that database, for reads that may lag; null: there is none. */
  databaseReplicaUrl: string | null;
  /** The object storage; null: files are kept in the data folder. */
  s3: S3Settings | null;
  /** An outside provider; null: there is none. */
  oidc: OidcSettings | null;
  /** True if people sign in with accounts of this server. Without them and without a provider there are the local demo accounts. */
  hasOwnAccounts: boolean;
  /** The rule for new accounts; null: the one that was chosen at the set-up. */
  registration: Registration | null;
  /** Proxies whose word about a caller's address is taken: addresses and networks, separated by commas. */
  trustProxy: string;
  /** The addresses of owners by settings, in lower case. */
  adminEmails: readonly string[];
  /** The key of signatures; null: it is made at the first start and kept in the data folder. */
  cookieSecret: string | null;
  logLevel: (typeof LOG_LEVELS)[number];
  /** The port that Prometheus asks for figures; null: there is none. */
  metricsPort: number | null;
  /** The time in which a stopping server still answers, so that load balancers stop sending calls to it first. */
  drainMs: number;
  /** The limit of lap files that one driver may keep here. */
  driverQuotaBytes: number;
  /** The mail server; null: the one that an owner has entered on the pages, if any. */
  mail: MailSettings | null;
  /** The address that is asked for the latest version; null: none is asked. */
  updateUrl: string | null;
  /** True if webhooks may go to this computer. */
  webhookLoopback: boolean;
  /** A folder, or `s3://` and the name of a bucket, for backups; null: none are made. */
  backupTarget: string | null;
  backupsKept: number;
  /** True if a database without laps begins with a demo community. */
  hasDemo: boolean;
  /** The background of the maps of the track editor; null: none. */
  mapTiles: MapTiles | null;
};

/** The mail server, with name and password where it wants them, and the sender of all mails. */
export type MailSettings = { smtpUrl: string; from: string };

/** A background map: an address with {z}, {x} and {y}, and the words that its owner asks for. */
export type MapTiles = { url: string; attribution: string };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const DEFAULT_PORT = 3000;
const ROOT_DATA_FOLDER = '/var/lib/pitboard';
const COOKIE_SECRET_CHARACTERS_MIN = 32;
// Load balancers ask every few seconds whether a server is ready.
const DRAIN_SECONDS = 5;
const DRAIN_SECONDS_MAX = 300;
// The default is some hundred days at a track with a fast logger.
const DRIVER_QUOTA_MEGABYTES = 5_000;
const DRIVER_QUOTA_MEGABYTES_MAX = 100_000_000;
// Two weeks of nights.
const BACKUPS_KEPT = 14;
const BACKUPS_KEPT_MAX = 1_000;
const MAP_ATTRIBUTION_CHARACTERS_MAX = 120;

const settingsSchema = z.object({
  PORT: wholeNumber(1, 65_535).default(DEFAULT_PORT),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z
    .string()
    .refine(isSiteAddress, 'must be an address without a path, such as https://laps.example.org.')
    .optional(),
  PITBOARD_DATA: z.string().optional(),
  PITBOARD_POSTGRES_BIN: z.string().optional(),
  PITBOARD_DEMO: z.enum(['on', 'off'], 'must be on or off.').optional(),
  DATABASE_URL: postgresAddress().optional(),
  DATABASE_DIRECT_URL: postgresAddress().optional(),
  DATABASE_REPLICA_URL: postgresAddress().optional(),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be the address of an S3-compatible object storage.' })
    .optional(),
  S3_REGION: z.string().optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket.')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  TRUST_PROXY: z
    .string()
    .refine(isListOfNetworks, 'must be addresses or networks of proxies, separated by commas.')
    .default('loopback'),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be the address of an OpenID provider.' })
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_SCOPES: z
    .string()
    .refine((scopes) => scopes.split(/\s+/).includes('openid'), 'must contain openid.')
    .default('openid profile email'),
  OIDC_NAME: z.string().optional(),
  REGISTRATION: z.enum(REGISTRATIONS, `must be one of ${REGISTRATIONS.join(', ')}.`).optional(),
  ADMIN_EMAILS: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((email) => email.trim().toLowerCase()))
    .transform((emails) => emails.filter((email) => email !== ''))
    .pipe(z.array(z.email('must be e-mail addresses, separated by commas.'))),
  COOKIE_SECRET: z
    .string()
    .min(COOKIE_SECRET_CHARACTERS_MIN, `must have at least ${COOKIE_SECRET_CHARACTERS_MIN} characters.`)
    .optional(),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  DRAIN_SECONDS: wholeNumber(0, DRAIN_SECONDS_MAX).optional(),
  DRIVER_QUOTA_MB: wholeNumber(1, DRIVER_QUOTA_MEGABYTES_MAX).default(DRIVER_QUOTA_MEGABYTES),
  MAP_TILES: z
    .url({ protocol: /^https?$/, error: 'must be a web address with {z}, {x} and {y}.' })
    .refine((url) => ['{z}', '{x}', '{y}'].every((part) => url.includes(part)), 'must hold {z}, {x} and {y}.')
    .optional(),
  MAP_ATTRIBUTION: z.string().max(MAP_ATTRIBUTION_CHARACTERS_MAX).optional(),
  BACKUP_TARGET: z
    .string()
    .regex(
      /^(\/|[A-Za-z]:[\\/]|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$)/,
      'must be the absolute path of a folder, or s3:// and the name of a bucket.',
    )
    .optional(),
  BACKUP_KEEP: wholeNumber(1, BACKUPS_KEPT_MAX).default(BACKUPS_KEPT),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: 'must be an address such as smtp://name:password@mail.example.org:587.',
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(MAIL_SENDER, 'must be an e-mail address, such as Kart Club <laps@example.org>.')
    .optional(),
  UPDATE_URL: z.url({ protocol: /^https?$/, error: 'must be a web address.' }).optional(),
  WEBHOOK_LOOPBACK: z.enum(['on', 'off'], 'must be on or off.').default('off'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
});

function wholeNumber(min: number, max: number) {
  const words = `must be a whole number from ${min} to ${max}.`;
  return z.coerce.number(words).int(words).min(min, words).max(max, words);
}

function postgresAddress() {
  return z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a PostgreSQL address that starts with postgresql://.');
}

type Settings = z.infer<typeof settingsSchema>;

export const SETTING_NAMES: readonly string[] = Object.keys(settingsSchema.shape);

/** Reads the settings from environment variables; throws a ConfigError that lists everything that is wrong with them. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable is an unset one: that is how compose files and shells leave a setting out.
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  const parsed = settingsSchema.safeParse(given);
  const problems = [
    ...(parsed.error?.issues.map(({ path, message }) => `${String(path[0])} ${message}`) ?? []),
    ...findContradictions(given),
  ];
  if (parsed.data === undefined || problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return toConfig(parsed.data);
}

function toConfig(settings: Settings): Config {
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${settings.PORT}`,
    dataFolder: settings.PITBOARD_DATA ? resolve(settings.PITBOARD_DATA) : defaultDataFolder(),
    postgresBinFolder: settings.PITBOARD_POSTGRES_BIN ? resolve(settings.PITBOARD_POSTGRES_BIN) : null,
    ...readDatabase(settings),
    s3: toS3Settings(settings),
    ...readSignIn(settings),
    trustProxy: settings.TRUST_PROXY,
    adminEmails: settings.ADMIN_EMAILS,
    cookieSecret: settings.COOKIE_SECRET ?? null,
    logLevel: settings.LOG_LEVEL,
    metricsPort: settings.METRICS_PORT ?? null,
    driverQuotaBytes: settings.DRIVER_QUOTA_MB * 1_000_000,
    backupTarget: settings.BACKUP_TARGET ?? null,
    backupsKept: settings.BACKUP_KEEP,
    ...readOutgoing(settings),
    hasDemo: hasDemo(settings),
    mapTiles: toMapTiles(settings),
    // A server with the embedded database is the only copy: no other would take its requests.
    drainMs: 1000 * (settings.DRAIN_SECONDS ?? (settings.DATABASE_URL ? DRAIN_SECONDS : 0)),
  };
}

function readDatabase(settings: Settings) {
  return {
    databaseUrl: settings.DATABASE_URL ?? null,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL ?? null,
    databaseReplicaUrl: settings.DATABASE_REPLICA_URL ?? null,
  };
}

function hasDemo(settings: Settings): boolean {
  const { PITBOARD_DEMO: given, DATABASE_URL: databaseUrl } = settings;
  // A club begins with boards of its own.
  return given === undefined ? databaseUrl === undefined && !hasOwnAccounts(settings) : given === 'on';
}

function readSignIn(settings: Settings): Pick<Config, 'oidc' | 'hasOwnAccounts' | 'registration'> {
  return {
    oidc: toOidcSettings(settings),
    hasOwnAccounts: hasOwnAccounts(settings),
    registration: settings.REGISTRATION ?? null,
  };
}

/** Returns true where other computers come in and no provider is set; elsewhere only if REGISTRATION says for whom. */
function hasOwnAccounts(settings: Settings): boolean {
  if (settings.REGISTRATION !== undefined) return true;
  return toOidcSettings(settings) === null && !isLoopbackOnly(settings);
}

function toMapTiles({ MAP_TILES: url, MAP_ATTRIBUTION: attribution = '' }: Settings): MapTiles | null {
  return url === undefined ? null : { url, attribution };
}

/** Reads what the server itself connects to, apart from database and storage. */
function readOutgoing(settings: Settings): Pick<Config, 'mail' | 'updateUrl' | 'webhookLoopback'> {
  return {
    mail: toMailSettings(settings),
    updateUrl: settings.UPDATE_URL ?? null,
    webhookLoopback: settings.WEBHOOK_LOOPBACK === 'on',
  };
}

function toMailSettings({ SMTP_URL: smtpUrl, MAIL_FROM: from }: Settings): MailSettings | null {
  return smtpUrl === undefined || from === undefined ? null : { smtpUrl, from };
}

function toOidcSettings(settings: Settings): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (!issuer || !clientId || !clientSecret) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: settings.OIDC_SCOPES,
    name: settings.OIDC_NAME ?? new URL(issuer).host,
  };
}

function toS3Settings(settings: Settings): S3Settings | null {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = settings;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (!endpoint || !region || !bucket || !accessKeyId || !secretAccessKey) return null;
  return { endpoint, region, bucket, accessKeyId, secretAccessKey };
}

function defaultDataFolder(): string {
  return process.getuid?.() === 0 ? ROOT_DATA_FOLDER : join(projectFolder, 'pitboard-data');
}

function isListOfNetworks(text: string): boolean {
  return text.split(',').every((network) => {
    const [address = '', bits, ...rest] = network.trim().split('/');
    const isNamed = /^(?:loopback|linklocal|uniquelocal)$/.test(network.trim());
    const isRange =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= 8 * (isIP(address) === 4 ? 4 : 16));
    return isNamed || (rest.length === 0 && isIP(address) !== 0 && isRange);
  });
}
