import * as openid from 'openid-client';
import { AppError } from '#server/kernel/errors.ts';
import { SIGN_IN_ERRORS } from '#contract/sign-in/labels.ts';
import { type Identity, identityFromClaims } from '#server/model/people/identity.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';

export type ProviderSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  name: string;
  /** The embedded provider asks for the account every time; this `fetch` reaches it without the network. */
  local: {
    fetch: openid.CustomFetch;
    cookieNames: readonly string[];
    readAccountId: (id: string) => Pick<Identity, 'issuer' | 'subject'>;
  } | null;
};

/** The OpenID provider signs users in: authorization code with PKCE, state and nonce. */
export type SignInProvider = {
  name: string;
  isLocal: boolean;
  /** The provider sets these cookies on this site; a sign-out deletes them. */
  cookieNames: readonly string[];
  /**
   * Makes the URL to redirect the browser to, and the attempt that its return must match.
   * @throws AppError `unavailable`
   */
  begin: (returnTo: string, linkTo?: string) => Promise<{ url: URL; attempt: SignInAttempt }>;
  /**
   * Finds the identity that has come back with `url`.
   * @throws where the return does not match or the provider refuses
   */
  finish: (url: URL, attempt: SignInAttempt) => Promise<Identity>;
  /** Finds the URL at which a browser signs out of the provider and returns to `returnUrl`; null where it is unknown. */
  endUrl: (returnUrl: string) => Promise<URL | null>;
};

const ANSWER_WITHIN_SECONDS = 10;

/** Opens the provider, without a call before the first sign-in: the server starts while the provider is unavailable. */
export function openSignInProvider(settings: ProviderSettings, redirectUri: string): SignInProvider {
  const { name, local, scopes } = settings;
  let discovered: openid.Configuration | null = null;
  const discover = async () => (discovered ??= await discoverProvider(settings));
  return {
    name,
    isLocal: local !== null,
    cookieNames: local?.cookieNames ?? [],
    begin: async (returnTo, linkTo) => {
      const codeVerifier = openid.randomPKCECodeVerifier();
      const [state, nonce] = [openid.randomState(), openid.randomNonce()];
      const url = openid.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        // The provider returns to that page when the user continues a sign-in that has expired.
        ...(local && { prompt: 'login', return_to: returnTo }),
      });
      const attempt = { state, nonce, codeVerifier, returnTo, startedAtMs: Date.now() };
      return { url, attempt: { ...attempt, ...(linkTo && { linkTo }) } };
    },
    finish: async (url, { state, nonce, codeVerifier }) => {
      const configuration = await discover();
      const tokens = await openid.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token.');
      const more = await fetchMoreClaims(configuration, tokens.access_token, claims.sub);
      const merged = { ...claims, ...more, ...takeEmail(more.email === undefined ? claims : more) };
      const known = { issuer: claims.iss, subject: claims.sub };
      const { issuer, subject } = local?.readAccountId(claims.sub) ?? known;
      return identityFromClaims(issuer, subject, merged);
    },
    endUrl: async (returnUrl) => {
      // The sign-out here succeeds even if the provider does not answer.
      const configuration = local ? null : await discover().catch(() => null);
      if (!configuration?.serverMetadata().end_session_endpoint) return null;
      return openid.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnUrl });
    },
  };
}

async function discoverProvider({
  issuer,
  clientId,
  clientSecret,
  local,
}: ProviderSettings): Promise<openid.Configuration> {
  const url = new URL(issuer);
  try {
    return await openid.discovery(url, clientId, clientSecret, undefined, {
      timeout: ANSWER_WITHIN_SECONDS,
      execute: [
        // The signature is checked although the token comes over TLS: a proxy in between could have forged one.
        openid.enableNonRepudiationChecks,
        // The settings allow an issuer without TLS, for a provider on the same machine.
        ...(url.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
      ],
      ...(local && { [openid.customFetch]: local.fetch }),
    });
  } catch (cause) {
    throw new AppError('unavailable', SIGN_IN_ERRORS.unavailable, { cause });
  }
}

/**
 * Takes the e-mail address only if the same answer of the provider says that it is verified: another answer may be about
 * another address.
 */
function takeEmail({ email, email_verified }: Record<string, unknown>): Record<string, unknown> {
  return { email, email_verified };
}

/** Fetches more claims: many providers give names and e-mail addresses only on request. */
async function fetchMoreClaims(
  configuration: openid.Configuration,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (!configuration.serverMetadata().userinfo_endpoint) return {};
  return { ...(await openid.fetchUserInfo(configuration, accessToken, subject)) };
}
