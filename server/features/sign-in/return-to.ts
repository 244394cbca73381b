import type { SignInError } from '#contract/sign-in/labels.ts';

/**
 * Returns the path on this site to which a sign-in returns; `/` where `returnTo` is anything else. Browsers read a backslash as
 * a slash, two slashes as another host, and drop tabs and line ends, so the pattern refuses all of them.
 */
export function safeReturnTo(returnTo: string | undefined): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  if (returnTo === undefined || !/^\/(?!\/)[^\\\u0000-\u001f\u007f]*$/.test(returnTo)) return '/';
  const here = 'http://here.invalid';
  const url = new URL(returnTo, here);
  return url.origin === here && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/';
}

/** Builds the path of the login page, with the page to return to. */
export function loginPath(returnTo: string, error?: SignInError): string {
  const query = new URLSearchParams({ ...(error && { error }), ...(returnTo !== '/' && { returnTo }) });
  return query.size === 0 ? '/login' : `/login?${query.toString()}`;
}
