import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

function collectProblems(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const PROVIDER = {
  OIDC_ISSUER: 'https://id.example.org',
  OIDC_CLIENT_ID: 'pitboard',
  OIDC_CLIENT_SECRET: 'secret',
};
const COOKIE_SECRET = 'a secret of more than thirty-two characters';

test('without any setting everything is on this computer', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: null,
    oidc: null,
    cookieSecret: null,
    logLevel: 'info',
  });
});

test('an empty variable is an unset one', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}));
});

test('the public URL follows the port unless it is given', () => {
  expect(readConfig({ PORT: '4100' }).publicUrl).toBe('http://localhost:4100');
  expect(readConfig({ ...PROVIDER, PUBLIC_URL: 'https://laps.example.org/' }).publicUrl).toBe(
    'https://laps.example.org',
  );
});

test('administrators are compared in lower case', () => {
  expect(readConfig({ ADMIN_EMAILS: 'Ann@Example.org, bob@example.org,' }).adminEmails).toEqual([
    'ann@example.org',
    'bob@example.org',
  ]);
});

test('a provider is called by its host unless it has a name', () => {
  expect(readConfig(PROVIDER).oidc?.name).toBe('id.example.org');
  expect(readConfig({ ...PROVIDER, OIDC_NAME: 'Our club' }).oidc?.name).toBe('Our club');
});

test('a background map has a URL with zoom, column and row', () => {
  const url = 'https://tiles.example.org/{z}/{x}/{y}.png';
  expect(readConfig({}).mapTiles).toBeNull();
  expect(readConfig({ MAP_TILES: url, MAP_ATTRIBUTION: '© Example' }).mapTiles).toEqual({
    url,
    attribution: '© Example',
  });
  expect(collectProblems({ MAP_TILES: 'https://tiles.example.org/' })).toEqual([
    'MAP_TILES must hold {z}, {x} and {y}.',
  ]);
  expect(collectProblems({ MAP_TILES: 'javascript:{z}{x}{y}' })).toEqual([
    'MAP_TILES must be a web address with {z}, {x} and {y}.',
  ]);
});

test('everything that is wrong is listed at once', () => {
  const problems = collectProblems({
    PORT: 'http',
    LOG_LEVEL: 'loud',
    ADMIN_EMAILS: 'ann',
    DATABASE_URL: 'mysql://x',
  });
  expect(problems).toEqual([
    'PORT must be a whole number from 1 to 65535.',
    'DATABASE_URL must be a PostgreSQL address that starts with postgresql://.',
    'ADMIN_EMAILS must be e-mail addresses, separated by commas.',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    'COOKIE_SECRET must be set with DATABASE_URL, the same for every copy of the server.',
  ]);
});

test('a provider is set wholly or not at all', () => {
  expect(collectProblems({ OIDC_ISSUER: 'https://id.example.org' })).toEqual([
    'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set too: a sign-in provider needs OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET.',
  ]);
});

test('the demo accounts are never offered to other computers: those have accounts of their own, or a provider', () => {
  expect(readConfig({}).hasOwnAccounts).toBe(false);
  expect(readConfig({ HOST: '::1' }).hasOwnAccounts).toBe(false);
  for (const open of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://laps.example.org' }]) {
    expect(readConfig(open)).toMatchObject({ hasOwnAccounts: true, hasDemo: false, registration: null });
    expect(readConfig({ ...open, ...PROVIDER })).toMatchObject({ hasOwnAccounts: false, hasDemo: true });
  }
});

test('REGISTRATION brings own accounts, alone or next to a provider', () => {
  const both = readConfig({ ...PROVIDER, REGISTRATION: 'closed' });
  expect(both).toMatchObject({ hasOwnAccounts: true, registration: 'closed' });
  expect(both.oidc).not.toBeNull();
  expect(readConfig({ REGISTRATION: 'invited' }).hasOwnAccounts).toBe(true);
  expect(collectProblems({ REGISTRATION: 'everybody' })).toEqual([
    'REGISTRATION must be one of invited, open, closed.',
  ]);
});

test('a public URL needs https and no path', () => {
  expect(collectProblems({ ...PROVIDER, PUBLIC_URL: 'http://laps.example.org' })[0]).toMatch(/https:\/\//);
  expect(collectProblems({ ...PROVIDER, PUBLIC_URL: 'https://example.org/laps' })[0]).toMatch(
    /without a path/,
  );
});

test('the demo community comes with the embedded database, unless it is switched off', () => {
  expect(readConfig({}).hasDemo).toBe(true);
  expect(readConfig({ PITBOARD_DEMO: 'on' }).hasDemo).toBe(true);
  expect(readConfig({ PITBOARD_DEMO: 'off' }).hasDemo).toBe(false);
  expect(collectProblems({ PITBOARD_DEMO: 'maybe' })).toEqual(['PITBOARD_DEMO must be on or off.']);
});

test('a database of their own is never filled with a demo', () => {
  const own = { DATABASE_URL: 'postgresql://localhost/pitboard', COOKIE_SECRET };
  expect(readConfig(own).hasDemo).toBe(false);
  expect(collectProblems({ ...own, PITBOARD_DEMO: 'on' })).toEqual([
    'PITBOARD_DEMO cannot be on with DATABASE_URL: the demo community is for the embedded database only.',
  ]);
});

test('metrics have a port of their own', () => {
  expect(readConfig({ METRICS_PORT: '9100' }).metricsPort).toBe(9100);
  expect(collectProblems({ PORT: '9100', METRICS_PORT: '9100' })).toEqual([
    'METRICS_PORT must be another port than PORT.',
  ]);
  expect(collectProblems({ METRICS_PORT: 'on' })).toEqual([
    'METRICS_PORT must be a whole number from 1 to 65535.',
  ]);
});

test('a server among several goes on answering for a while when it stops, one alone stops at once', () => {
  const shared = { DATABASE_URL: 'postgresql://localhost/pitboard', COOKIE_SECRET };
  expect(readConfig({}).drainMs).toBe(0);
  expect(readConfig(shared).drainMs).toBe(5000);
  expect(readConfig({ ...shared, DRAIN_SECONDS: '20' }).drainMs).toBe(20_000);
});

const S3 = {
  S3_ENDPOINT: 'https://objects.example.org',
  S3_REGION: 'eu-1',
  S3_BUCKET: 'pitboard',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};

test('an object storage is set wholly or not at all', () => {
  expect(readConfig({}).s3).toBeNull();
  expect(readConfig(S3).s3).toEqual({
    endpoint: 'https://objects.example.org',
    region: 'eu-1',
    bucket: 'pitboard',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  });
  for (const name of Object.keys(S3)) {
    expect(collectProblems({ ...S3, [name]: '' })[0]).toMatch(new RegExp(`^${name} must be set too`));
  }
  expect(collectProblems({ ...S3, S3_ENDPOINT: 'objects', S3_BUCKET: 'No Bucket' })).toEqual([
    'S3_ENDPOINT must be the address of an S3-compatible object storage.',
    'S3_BUCKET must be the name of a bucket.',
  ]);
});

test('proxies are believed by their addresses', () => {
  expect(readConfig({}).trustProxy).toBe('loopback');
  expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toBe('10.0.0.0/8, ::1');
  for (const wrong of ['everybody', 'true', '10.0.0.0/33', '1', '10.0.0.1,']) {
    expect(collectProblems({ TRUST_PROXY: wrong })).toEqual([
      'TRUST_PROXY must be addresses or networks of proxies, separated by commas.',
    ]);
  }
});

test('with a database of its own the server needs a secret that all its copies share', () => {
  expect(collectProblems({ DATABASE_URL: 'postgresql://db/pitboard', COOKIE_SECRET: 'short' })).toEqual([
    'COOKIE_SECRET must have at least 32 characters.',
  ]);
  expect(collectProblems({ DATABASE_URL: 'postgresql://db/pitboard', COOKIE_SECRET })).toEqual([]);
});

test('the server behind a pooler is that of DATABASE_URL unless it is named too', () => {
  const database = { DATABASE_URL: 'postgresql://pooler/pitboard', COOKIE_SECRET };
  const direct = { DATABASE_DIRECT_URL: 'postgresql://server/pitboard' };
  expect(readConfig({ ...database, ...direct }).databaseDirectUrl).toBe('postgresql://server/pitboard');
  expect(readConfig(database).databaseDirectUrl).toBe('postgresql://pooler/pitboard');
  expect(readConfig({}).databaseDirectUrl).toBeNull();
  expect(collectProblems(direct)).toEqual([
    'DATABASE_URL must be set with DATABASE_DIRECT_URL: both lead to the same database.',
  ]);
});

test('a replica is one of a database that is named too', () => {
  const replica = { DATABASE_REPLICA_URL: 'postgresql://reader@replica/pitboard' };
  const database = { DATABASE_URL: 'postgresql://writer@primary/pitboard', COOKIE_SECRET };
  expect(readConfig({ ...database, ...replica }).databaseReplicaUrl).toBe(
    'postgresql://reader@replica/pitboard',
  );
  expect(readConfig(database).databaseReplicaUrl).toBeNull();
  expect(collectProblems(replica)).toEqual([
    'DATABASE_URL must be set with DATABASE_REPLICA_URL: the embedded database has no replica.',
  ]);
  expect(collectProblems({ ...database, DATABASE_REPLICA_URL: 'replica' })).toEqual([
    'DATABASE_REPLICA_URL must be a PostgreSQL address that starts with postgresql://.',
  ]);
});
