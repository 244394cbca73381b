import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGES, type PageName } from '#contract/pages.ts';
import type { Demo } from '#server/demo/open-demo.ts';
import { AppError } from '#server/kernel/errors.ts';
import { answerFirstCalls } from './first-answers.ts';
import { drawDemoBar } from './demo-bar.ts';
import { describePage } from './page-head.ts';
import { DOCUMENTS_FOLDER, fillDocument, type WebDocuments } from './web-documents.ts';

export type WebApp = {
  /** Of the built web client. */
  folder: string;
  documents: WebDocuments | null;
  /** Where people find Pitboard; what is shared names whole addresses. */
  publicUrl: string;
  /** Whether a bar has to say that what the pages show is a demo. */
  demo: Pick<Demo, 'status'>;
};

// Vite names these files after their content, so a browser never has to ask for one again.
const HASHED_FILES = '/assets/';

/**
 * Serves the files of the built web client and the document of every page. A path that is neither a file nor a call has
 * a document too, which says so, with status 404.
 */
export async function mountWebApp(
  app: FastifyInstance,
  { folder, documents, publicUrl, demo }: WebApp,
): Promise<void> {
  if (!documents) {
    app.setNotFoundHandler(refuse);
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false, // a route for each file: whatever else is asked for shows the page for it
    globIgnore: ['index.html', `${DOCUMENTS_FOLDER}/**`, '**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false, // ours, below
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, HASHED_FILES));
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=0, must-revalidate',
      );
      reply.header('vary', 'accept-encoding');
    },
  });
  const send = (page: PageName) => async (request: FastifyRequest, reply: FastifyReply) => {
    // The page comes without a database too, and says then what is wrong.
    const status = await demo.status().catch(() => null);
    const html = drawDemoBar(documents.htmlOf(page), status);
    return sendPage(app, { html, page, publicUrl }, { request, reply });
  };
  for (const name of pageNames()) app.get(PAGES[name], send(name));
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const wantsDocument =
      ['GET', 'HEAD'].includes(request.method) &&
      !/^\/api(?:\/|$)/.test(path) &&
      !path.startsWith(HASHED_FILES);
    return wantsDocument ? send('not-found')(request, reply.code(404)) : refuse();
  });
}

async function sendPage(
  app: FastifyInstance,
  { html, page, publicUrl }: { html: string; page: PageName; publicUrl: string },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { answers, tooLarge, isMissing } = await answerFirstCalls(app, page, request);
  for (const path of tooLarge)
    reply.header('link', `<${path}>; rel=preload; as=fetch; crossorigin=use-credentials`);
  if (isMissing) reply.code(404);
  const head = describePage(page, {
    path: request.url.split('?')[0] ?? '/',
    track: [...answers].find(([path]) => page === 'track' && path.startsWith('/api/tracks/'))?.[1],
    isMissing,
  });
  return (
    reply
      .type('text/html; charset=utf-8')
      // It says who asked for it: nobody else, and not the Back button after a sign-out, may see it again.
      .header('cache-control', 'private, no-store')
      .send(fillDocument(html, { ...head, publicUrl }, answers))
  );
}

function refuse(): never {
  throw new AppError('not_found', 'There is nothing at this address.');
}

function pageNames(): (keyof typeof PAGES)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys of a constant; the compiler knows them as texts only.
  return Object.keys(PAGES) as (keyof typeof PAGES)[];
}
