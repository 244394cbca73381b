import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { garageEndpoints } from '#contract/garage.ts';
import { lapEndpoints } from '#contract/laps.ts';
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

// What every page asks for, and what some pages need before they can show anything; `:userId` is who asks.
const CURRENT_USER = userEndpoints.current.path;
const FIRST_CALLS: Partial<Record<PageName, readonly string[]>> = {
  home: [trackEndpoints.list.path],
  leaderboards: [trackEndpoints.list.path],
  track: [trackEndpoints.get.path],
  profile: [garageEndpoints.list.path, lapEndpoints.byCar.path],
};

const namedUser = z.object({ id: z.string() });

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
  const user = await call(app, CURRENT_USER, request);
  const userId = user.statusCode === 200 ? namedUser.parse(JSON.parse(user.body)).id : null;
  const calls = (FIRST_CALLS[page] ?? [])
    .filter((path) => userId !== null || !path.includes(':userId'))
    .map((path) => fillPath(path, { userId, ...Object(request.params) }));
  const paths = [CURRENT_USER, ...calls];
  const responses = [user, ...(await Promise.all(calls.map((path) => call(app, path, request))))];
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

function fillPath(path: string, params: Record<string, unknown>): string {
  const values = new Map(Object.entries(params));
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}
