import type { FastifyInstance } from 'fastify';

/** Acts like a browser during a sign-in: keeps cookies, follows redirects, knows one site. */
export type TestBrowser = {
  /** Cookies by name. */
  cookies: Map<string, string>;
  /** The attributes of each cookie. */
  details: Map<string, object>;
  /** Opens a page or sends a form, and follows where it leads. */
  open: (
    path: string,
    form?: Record<string, string>,
  ) => Promise<{ path: string; status: number; body: string }>;
};

export function openBrowser(
  app: FastifyInstance,
  publicUrl: string,
  cookies = new Map<string, string>(),
): TestBrowser {
  const { origin, host } = new URL(publicUrl);
  const details = new Map<string, object>();
  const visit = async (path: string, form?: Record<string, string>) => {
    const response = await app.inject({
      method: form ? 'POST' : 'GET',
      url: path,
      headers: {
        host,
        accept: 'text/html',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { origin, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    });
    for (const cookie of response.cookies) {
      const { name, value, maxAge, expires } = cookie;
      details.set(name, cookie);
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now());
      if (isGone) cookies.delete(name);
      else cookies.set(name, encodeURIComponent(value));
    }
    return response;
  };
  const open: TestBrowser['open'] = async (path, form) => {
    let here = path;
    let response = await visit(path, form);
    for (let steps = 0; response.headers.location !== undefined && steps < 10; steps++) {
      const next = new URL(response.headers.location, publicUrl);
      if (next.origin !== origin)
        return { path: next.href, status: response.statusCode, body: response.body };
      here = next.pathname + next.search;
      response = await visit(here);
    }
    return { path: here, status: response.statusCode, body: response.body };
  };
  return { cookies, details, open };
}
