import { createServer, type Server } from 'node:http';
import { Provider } from 'oidc-provider/lib/provider.js';
import type { OidcSettings } from '#server/kernel/config/config.ts';

/** An OpenID provider at an address of its own, as a club may run one. It has one member, who is always signed in there. */
export type ClubProvider = {
  settings: OidcSettings;
  /** The claims about the member; tests change them. */
  claims: Record<string, string | boolean>;
  /** Does what a browser does there, from the address that a sign-in leads to until it is sent back. */
  visit: (address: string) => Promise<string>;
  close: () => Promise<void>;
};

const CLIENT = { clientId: 'pitboard', clientSecret: 'a secret of the club and Pitboard' };

/** Starts it, on `port` where it was before. */
export async function startClubProvider(redirectUri: string, port = 0): Promise<ClubProvider> {
  const claims: ClubProvider['claims'] = {};
  let provider: Provider | null = null;
  const server = createServer((request, response) => {
    if (!provider) throw new Error('The provider is asked before it is there.');
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    const result = { login: { accountId: 'member-7' } };
    return void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  const issuer = `http://127.0.0.1:${await listen(server, port)}`;
  provider = openProvider(issuer, redirectUri, claims);
  return {
    settings: { issuer, ...CLIENT, scopes: 'openid profile email', name: 'The Club' },
    claims,
    visit: (address) => followUntilElsewhere(address, issuer),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function openProvider(issuer: string, redirectUri: string, claims: ClubProvider['claims']): Provider {
  return new Provider(issuer, {
    clients: [
      { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
      email: ['email', 'email_verified'],
    },
    cookies: { keys: ['of the club'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...claims, sub: id }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider does not listen.');
  return address.port;
}

async function followUntilElsewhere(address: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let here = address;
  for (let steps = 0; here.startsWith(issuer) && steps < 10; steps++) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(here, { redirect: 'manual', headers: { cookie, connection: 'close' } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${here} answers ${response.status}: ${await response.text()}`);
    here = new URL(location, issuer).href;
  }
  return here;
}
