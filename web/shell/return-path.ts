/** Returns the path of the login page with `path` to return to. */
export function loginPath(path: string, search = ''): string {
  if (path === '/login') return `/login${search && `?${search}`}`;
  const here = search === '' ? path : `${path}?${search}`;
  return here === '/' ? '/login' : `/login?returnTo=${encodeURIComponent(here)}`;
}

/** Returns the path to open after the sign-in, limited to this site; otherwise the home page. */
export function safeReturnPath(returnTo: string | null | undefined): string {
  if (!returnTo?.startsWith('/')) return '/';
  // Browsers read '//host' and '/\host' as another site, so their own way of reading decides; for a path any site will do.
  const origin = 'https://this-site.invalid';
  const url = URL.canParse(returnTo, origin) ? new URL(returnTo, origin) : null;
  if (url?.origin !== origin) return '/';
  const path = url.pathname + url.search + url.hash;
  // The login page itself would cause a loop; a path may still begin with two slashes after dots are resolved.
  return url.pathname === '/login' || path.startsWith('//') ? '/' : path;
}
