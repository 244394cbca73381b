import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageRenderer, RenderedPage } from '#contract/pages.ts';

/** A page for one visitor, and what became of the calls of the API that it was rendered with. */
export type PageOfVisitor = RenderedPage & { answers: ReadonlyMap<string, Answer> };

/** `location` is where a redirect leads. */
export type Answer = { status: number; body: string; location?: string };

// A page comes at once, or nearly: what takes longer is left to the browser, which says that it is on its way.
const PATIENCE_MS = 1_000;
// A page that carries more shows its first words later; beyond that a call of its own is quicker.
export const ANSWER_CHARACTERS_MAX = 200_000;

/** The status of an answer that is too long for a page. */
export const TOO_LONG = 413;

const EMPTY: RenderedPage = { html: '', data: { queries: [] } };

const visits = new AsyncLocalStorage<(url: string) => Promise<Answer>>();

/** Loads what the web client was built into for rendering on the server; null where nothing has been built. */
export async function loadRenderer(file: string): Promise<PageRenderer | null> {
  return existsSync(file) ? import(pathToFileURL(file).href) : null;
}

/** Makes the renderer answer its calls by the routes of this process. */
export function connectRenderer(renderer: PageRenderer): void {
  renderer.sendCallsThrough((url) => {
    const call = visits.getStore();
    if (!call) throw new Error('No page is being rendered.');
    return call(url);
  });
}

/**
 * Renders the page that was asked for, in the name of the visitor. Where that fails, or there is no renderer, the page is
 * empty, and the browser does everything itself.
 */
export async function renderForVisitor(
  app: FastifyInstance,
  renderer: PageRenderer | null,
  request: FastifyRequest,
): Promise<PageOfVisitor> {
  const answers = new Map<string, Answer>();
  const call = async (url: string): Promise<Answer> => {
    const { cookie } = request.headers;
    const headers = cookie === undefined ? {} : { cookie };
    const response = await app.inject({ url, remoteAddress: request.ip, headers });
    const { statusCode, body } = response;
    const { location } = response.headers;
    const answer = {
      status: body.length > ANSWER_CHARACTERS_MAX ? TOO_LONG : statusCode,
      body,
      ...(typeof location === 'string' && { location }),
    };
    answers.set(url, answer);
    return answer;
  };
  try {
    const [path = '/', ...search] = request.url.split(/(?=\?)/);
    const page = await visits.run(call, async () =>
      renderer?.renderPage({ path, search: search.join(''), patienceMs: PATIENCE_MS }),
    );
    return { ...(page ?? EMPTY), answers };
  } catch (error) {
    request.log.error({ err: error }, 'A page could not be rendered');
    return { ...EMPTY, answers };
  }
}
