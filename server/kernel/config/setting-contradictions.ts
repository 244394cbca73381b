type Given = Record<string, string>;

/** What only shows when settings are looked at together: one sentence for each problem. */
export function findContradictions(given: Given): string[] {
  const problems = findIncompleteSets(given);
  if (given['METRICS_PORT'] !== undefined && given['METRICS_PORT'] === given['PORT']) {
    problems.push('METRICS_PORT must be another port than PORT.');
  }
  if (given['DATABASE_URL'] !== undefined && given['COOKIE_SECRET'] === undefined) {
    problems.push('COOKIE_SECRET must be set with DATABASE_URL, the same for every copy of the server.');
  }
  if ((given['SMTP_URL'] === undefined) !== (given['MAIL_FROM'] === undefined)) {
    problems.push('SMTP_URL and MAIL_FROM must be set together: the mail server, and the sender of mails.');
  }
  if (given['DATABASE_URL'] !== undefined && given['PITBOARD_DEMO'] === 'on') {
    problems.push(
      'PITBOARD_DEMO cannot be on with DATABASE_URL: the demo community is for the embedded database only.',
    );
  }
  if (given['DATABASE_REPLICA_URL'] !== undefined && given['DATABASE_URL'] === undefined) {
    problems.push(
      'DATABASE_URL must be set with DATABASE_REPLICA_URL: the embedded database has no replica.',
    );
  }
  if (given['DATABASE_DIRECT_URL'] !== undefined && given['DATABASE_URL'] === undefined) {
    problems.push('DATABASE_URL must be set with DATABASE_DIRECT_URL: both lead to the same database.');
  }
  return [...problems, ...findUnsafeAddress(given['PUBLIC_URL'])];
}

/** Whether `text` is the address of a site and nothing more. */
export function isSiteAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash, username } = new URL(text);
  return /^https?:$/.test(protocol) && pathname === '/' && `${search}${hash}${username}` === '';
}
/** Whether only this computer can reach `host`. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Settings that make sense together only. */
const SETS = [
  {
    prefix: 'OIDC_',
    what: 'a sign-in provider',
    required: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  },
  {
    prefix: 'S3_',
    what: 'an object storage',
    required: ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  },
];

function isMeant(prefix: string, given: Given): boolean {
  return Object.keys(given).some((name) => name.startsWith(prefix));
}

function findIncompleteSets(given: Given): string[] {
  return SETS.flatMap(({ prefix, what, required }) => {
    const missing = required.filter((name) => given[name] === undefined);
    if (!isMeant(prefix, given) || missing.length === 0) return [];
    return [`${missing.join(' and ')} must be set too: ${what} needs ${required.join(', ')}.`];
  });
}
/** Whether only this computer can reach the server. */
export function isLoopbackOnly({
  HOST: host,
  PUBLIC_URL: publicUrl,
}: {
  HOST: string;
  PUBLIC_URL?: string | undefined;
}): boolean {
  return isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));
}

function findUnsafeAddress(publicUrl: string | undefined): string[] {
  if (publicUrl === undefined || !isSiteAddress(publicUrl)) return [];
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return ['PUBLIC_URL must start with https://, because sign-ins are only safe over it.'];
}
