import type { FastifyInstance } from 'fastify';
import { signInEndpoints } from '#contract/people/schemas.ts';
import type { DemoPerson } from '#server/model/people/identity.ts';
import type { AppSettings } from '#server/model/services.ts';
import { demoAccount, hasLocalAccounts } from './local/local-accounts.ts';
import { mountLocalProvider } from './local/local-provider.ts';
import { openSignInProvider, type SignInProvider } from './sign-in-provider.ts';

/** Opens the provider of the settings, or the embedded one; null where all accounts are of this server. */
export async function openProvider(
  app: FastifyInstance,
  settings: AppSettings,
  listDemoDrivers: () => Promise<readonly DemoPerson[]>,
): Promise<SignInProvider | null> {
  const { publicUrl, cookieSecret, oidc } = settings;
  if (!oidc && !hasLocalAccounts(settings)) return null;
  const redirectUri = publicUrl + signInEndpoints.callback.path;
  const provider = oidc
    ? { ...oidc, local: null }
    : await mountLocalProvider(app, {
        publicUrl,
        cookieSecret,
        redirectUri,
        listDemoAccounts: async () => (await listDemoDrivers()).map(demoAccount),
      });
  return openSignInProvider(provider, redirectUri);
}
