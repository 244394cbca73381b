import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Configuration, default as Provider, KoaContextWithOIDC } from 'oidc-provider';
import type { CustomFetch } from 'openid-client';
import { loginPath, safeReturnTo } from '../return-to.ts';
import type { ProviderSettings } from '../sign-in-provider.ts';
import { LOCAL_ACCOUNTS, type LocalAccount, readAccountId } from './local-accounts.ts';
import { accountPage } from './account-page.ts';
import { MemoryAdapter } from './memory-adapter.ts';

const MOUNT_PATH = '/oidc';
const CLIENT_ID = 'pitboard';
const SCOPES = 'openid profile email';
const SESSION_COOKIE = 'pitboard_local_provider';

export type LocalProviderOptions = {
  publicUrl: string;
  cookieSecret: string;
  redirectUri: string;
  /** Lists the accounts of demo drivers, while the demo community exists. */
  listDemoAccounts: () => Promise<readonly LocalAccount[]>;
};

/**
 * Mounts a complete OpenID provider inside this server, with a few invented accounts and no passwords, for trying Pitboard on
 * one's own machine. The settings refuse it on a server that others can reach. Returns the settings that a sign-in needs.
 */
export async function mountLocalProvider(
  app: FastifyInstance,
  options: LocalProviderOptions,
): Promise<ProviderSettings> {
  const issuer = options.publicUrl + MOUNT_PATH;
  // The secret exists only in this process.
  const clientSecret = randomBytes(32).toString('base64url');
  let opened: Promise<Provider> | null = null;
  // The provider opens at the first sign-in: most starts of the server do not need it.
  const open = () => (opened ??= openProvider(issuer, clientSecret, options));

  await app.register(async (scope) => mountAccountPage(scope, open, options));
  await app.register(async (scope) => {
    // The provider reads request bodies by itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all(`${MOUNT_PATH}/*`, async (request, reply) => {
      const provider = await open();
      applyPublicUrl(request, options.publicUrl);
      reply.hijack();
      const { raw } = request;
      Object.assign(raw, { originalUrl: raw.url });
      raw.url = raw.url?.slice(MOUNT_PATH.length);
      await provider.callback()(raw, reply.raw);
    });
  });

  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret,
    scopes: SCOPES,
    name: 'a local account',
    local: {
      fetch: fetchWithoutNetwork(app),
      cookieNames: [SESSION_COOKIE, `${SESSION_COOKIE}.sig`],
      readAccountId,
    },
  };
}

async function openProvider(
  issuer: string,
  clientSecret: string,
  options: LocalProviderOptions,
): Promise<Provider> {
  // The package's own entry warns of every Node before 22 and does nothing else, so it is bypassed.
  const { Provider } = await import('oidc-provider/lib/provider.js');
  const provider = new Provider(issuer, configure(clientSecret, options));
  provider.proxy = true; // trusts the headers that `applyPublicUrl` sets
  return provider;
}

function configure(clientSecret: string, options: LocalProviderOptions): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    adapter: MemoryAdapter,
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: [options.redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    scopes: SCOPES.split(' '),
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name'],
      email: ['email', 'email_verified'],
    },
    cookies: { keys: [options.cookieSecret], names: { session: SESSION_COOKIE } },
    extraParams: ['return_to'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: {
      url: (_context, { uid, params }) =>
        `${MOUNT_PATH}/interaction/${uid}?${new URLSearchParams({ returnTo: String(params['return_to']) }).toString()}`,
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 900, Session: 900, Grant: 900 },
    findAccount: (_context, id) => findAccount(options, id),
    loadExistingGrant,
    renderError: (context) => context.redirect('/login?error=failed'),
  };
}

/** Grants everything without consent: client and provider are the same program. */
async function loadExistingGrant({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client?.clientId,
    accountId: oidc.session?.accountId,
  });
  grant.addOIDCScope(SCOPES);
  await grant.save();
  return grant;
}

async function listAccounts({ listDemoAccounts }: LocalProviderOptions): Promise<LocalAccount[]> {
  return [...LOCAL_ACCOUNTS, ...(await listDemoAccounts())];
}

async function findAccount(options: LocalProviderOptions, id: string) {
  const account = (await listAccounts(options)).find((one) => one.id === id);
  if (!account) return undefined;
  const { firstName, lastName, email } = account;
  const names = { name: `${firstName} ${lastName}`, given_name: firstName, family_name: lastName };
  return {
    accountId: id,
    claims: () => ({ sub: id, ...names, ...(email !== null && { email, email_verified: true }) }),
  };
}

/** Mounts the page for choosing one of the accounts. */
function mountAccountPage(
  scope: FastifyInstance,
  open: () => Promise<Provider>,
  options: LocalProviderOptions,
): void {
  const { publicUrl } = options;
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  const path = `${MOUNT_PATH}/interaction/:uid`;

  scope.get(path, async (request, reply) => {
    applyPublicUrl(request, publicUrl);
    const isUnderWay = await (await open()).interactionDetails(request.raw, reply.raw).catch(() => null);
    // The usual cause is going back after the sign-in was over: nothing failed, and the user may begin again.
    if (!isUnderWay) return reply.redirect(loginPath(readReturnTo(request)));
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(accountPage(await listAccounts(options)));
  });

  scope.post(path, async (request, reply) => {
    applyPublicUrl(request, publicUrl);
    const chosen = request.body instanceof URLSearchParams ? request.body.get('account') : null;
    const account = (await listAccounts(options)).find(({ id }) => id === chosen);
    const result = account
      ? { login: { accountId: account.id } }
      : { error: 'access_denied', error_description: 'No account was chosen.' };
    const next = await (
      await open()
    )
      .interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false })
      .catch(() => loginPath(readReturnTo(request), 'expired'));
    return reply.redirect(next, 303);
  });
}

/** Reads the page to return to from the sign-in in progress. */
function readReturnTo({ url }: FastifyRequest): string {
  return safeReturnTo(new URL(url, 'http://here.invalid').searchParams.get('returnTo') ?? undefined);
}

/** Sets the headers so that the provider sees the public URL, whatever URL the request came by. */
function applyPublicUrl({ raw }: FastifyRequest, publicUrl: string): void {
  const { host, protocol } = new URL(publicUrl);
  raw.headers['x-forwarded-host'] = host;
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
}

/** Calls this server in memory: it may be unreachable at its public URL from here, and need not listen yet. */
function fetchWithoutNetwork(app: FastifyInstance): CustomFetch {
  return async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url);
    const response = await app.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url: pathname + search,
      headers,
      // The token call sends a form; no other call has a body.
      ...(body instanceof URLSearchParams && { payload: body.toString() }),
    });
    const answer = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) answer.set(name, String(value));
    return new Response(response.body, { status: response.statusCode, headers: answer });
  };
}
