import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGES, type PageName, type PageRenderer } from '#contract/pages.ts';
import { AppError } from '#server/kernel/errors.ts';
import { fillTemplate, type HtmlTemplate } from './html-template.ts';
import { findFormats } from './visitor-formats.ts';
import { describePage, findMovedPage } from './page-head.ts';
import { connectRenderer, loadRenderer, renderForVisitor, TOO_LONG } from './render-page.ts';

export type WebApp = {
  webFolder: string;
  template: HtmlTemplate | null;
  /** Renders the pages; the default is the renderer that was built with the client. Without either the browser renders them. */
  renderer?: PageRenderer;
  /** Users reach Pitboard at this URL; shared links need absolute URLs. */
  publicUrl: string;
};

// Vite names these files by a hash of their content, so a browser never requests one twice.
const HASHED_FILES = '/assets/';

const PERMANENT_REDIRECT = 308;

/** Serves the built web client. A path that is neither a file nor a call gets a page that says so, with status 404. */
export async function mountWebApp(app: FastifyInstance, webApp: WebApp): Promise<void> {
  const { webFolder, template, publicUrl } = webApp;
  if (!template) {
    app.setNotFoundHandler(refuse);
    return;
  }
  await serveFiles(app, webFolder);
  const renderer = webApp.renderer ?? (await loadRenderer(`${webFolder}-server/render.js`));
  if (renderer) connectRenderer(renderer);
  const send = (page: PageName) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { html, data, answers, formats } = await renderForVisitor(app, renderer, request);
    const [path = '/', query = ''] = request.url.split('?');
    const movedTo = findMovedPage(page, answers);
    if (movedTo !== null)
      return reply.redirect(query === '' ? movedTo : `${movedTo}?${query}`, PERMANENT_REDIRECT);
    for (const [url, { status }] of answers) {
      if (status !== TOO_LONG) continue;
      reply.header('link', `<${url}>; rel=preload; as=fetch; crossorigin=use-credentials`);
    }
    const search = new URLSearchParams(query);
    const shown = findFormats(formats, answers.get('/api/auth/user')?.body);
    const head = describePage(page, { path, search, formats: shown }, answers);
    if (head.isMissing) reply.code(404);
    reply.type('text/html; charset=utf-8');
    // The page contains the name of its reader: no cache may show it again, nor the Back button after a sign-out.
    reply.header('cache-control', 'private, no-store');
    return fillTemplate(template.forPage(page, search), {
      head,
      publicUrl,
      content: html,
      data: { ...data, formats },
    });
  };
  for (const name of pageNames()) app.get(PAGES[name], send(name));
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const wantsPage =
      ['GET', 'HEAD'].includes(request.method) &&
      !/^\/api(?:\/|$)/.test(path) &&
      !path.startsWith(HASHED_FILES);
    return wantsPage ? send('not-found')(request, reply.code(404)) : refuse();
  });
}

async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false, // one route per file; any other path shows its page
    globIgnore: ['index.html', '.vite/**', '**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false, // set below
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, HASHED_FILES));
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
      );
      reply.header('vary', 'accept-encoding');
    },
  });
}

function refuse(): never {
  throw new AppError('not_found', 'There is nothing at this address.');
}

export function pageNames(): (keyof typeof PAGES)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys of a constant; the compiler knows them as texts only.
  return Object.keys(PAGES) as (keyof typeof PAGES)[];
}
