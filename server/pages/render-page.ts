import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageRenderer, RenderedPage, VisitorFormats } from '#contract/pages.ts';
import { readVisitorFormats } from './visitor-formats.ts';

/** A page for one visitor, with the result of the API calls for its rendering. */
export type PageOfVisitor = RenderedPage & {
  answers: ReadonlyMap<string, Answer>;
  formats: VisitorFormats;
};

/** A redirect leads to `location`. */
export type Answer = { status: number; body: string; location?: string };

// The server waits this long for a page: the browser renders a slower one, and shows that it is loading.
const PATIENCE_MS = 1_000;
// Programs that read a page for a preview of its link see nothing of what comes later.
const READER_PATIENCE_MS = 5_000;
// A page with more data shows its first text later; above this size a separate call is quicker.
export const ANSWER_CHARACTERS_MAX = 200_000;

/** An answer that is too long for a page gets this status. */
export const TOO_LONG = 413;

const EMPTY: RenderedPage = { html: '', data: { queries: [] } };

const visits = new AsyncLocalStorage<(url: string) => Promise<Answer>>();

/** Loads the renderer that was built with the web client; null where none has been built. */
export async function loadRenderer(file: string): Promise<PageRenderer | null> {
  return existsSync(file) ? import(pathToFileURL(file).href) : null;
}

/** Makes the renderer call the routes of this process. */
export function connectRenderer(renderer: PageRenderer): void {
  renderer.sendCallsThrough((url) => {
    const call = visits.getStore();
    if (!call) throw new Error('No page is being rendered.');
    return call(url);
  });
}

/** Renders a page for the visitor. Without a renderer, or after an error, it is empty, and the browser renders it. */
export async function renderForVisitor(
  app: FastifyInstance,
  renderer: PageRenderer | null,
  request: FastifyRequest,
): Promise<PageOfVisitor> {
  const formats = readVisitorFormats(request);
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
      renderer?.renderPage({ path, search: search.join(''), formats, patienceMs: findPatience(request) }),
    );
    return { ...(page ?? EMPTY), answers, formats };
  } catch (error) {
    request.log.error({ err: error }, 'A page could not be rendered');
    return { ...EMPTY, answers, formats };
  }
}

/** Only browsers send this header, on https and on this computer. */
function findPatience({ headers }: FastifyRequest): number {
  return headers['sec-fetch-mode'] === undefined ? READER_PATIENCE_MS : PATIENCE_MS;
}
