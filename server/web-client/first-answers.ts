import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageName } from '#contract/pages.ts';
import { trackEndpoints } from '#contract/tracks.ts';
import { userEndpoints } from '#contract/users.ts';

/** The answers that a document carries, as JSON by the path of their call, and the calls that it leaves to the browser. */
export type FirstAnswers = {
  answers: Map<string, string>;
  tooLarge: string[];
  /** What the page is about does not exist. */
  isMissing: boolean;
};

// What every page asks for, and what the pages that visits begin with need before they can show anything.
const CURRENT_USER = userEndpoints.current.path;
const FIRST_CALLS: Partial<Record<PageName, readonly string[]>> = {
  home: [trackEndpoints.list.path],
  leaderboards: [trackEndpoints.list.path],
  track: [trackEndpoints.get.path],
};

// A document that carries more shows its first words later; beyond that a call beside it is quicker.
const ANSWER_BYTES_MAX = 200_000;

/**
 * Makes the calls that a page begins with, in the name of who asks for it: by the very routes that answer them to a
 * browser. A guest is told so by `null` for the user. What fails is left out: the browser will ask, and say what is wrong.
 */
export async function answerFirstCalls(
  app: FastifyInstance,
  page: PageName,
  request: FastifyRequest,
): Promise<FirstAnswers> {
  const found: FirstAnswers = { answers: new Map(), tooLarge: [], isMissing: false };
  const paths = [CURRENT_USER, ...(FIRST_CALLS[page] ?? [])].map((path) => fillPath(path, request.params));
  const responses = await Promise.all(paths.map((path) => call(app, path, request)));
  for (const [index, { statusCode, body }] of responses.entries()) {
    const path = paths[index] ?? '';
    if (path === CURRENT_USER && statusCode === 401) found.answers.set(path, 'null');
    else if (statusCode === 404 || statusCode === 400) found.isMissing = true;
    else if (statusCode !== 200) continue;
    else if (body.length > ANSWER_BYTES_MAX) found.tooLarge.push(path);
    else found.answers.set(path, body);
  }
  return found;
}

function call(app: FastifyInstance, url: string, { headers: { cookie }, ip }: FastifyRequest) {
  return app.inject({ url, remoteAddress: ip, headers: cookie === undefined ? {} : { cookie } });
}

function fillPath(path: string, params: unknown): string {
  const values = new Map(typeof params === 'object' && params !== null ? Object.entries(params) : []);
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}
