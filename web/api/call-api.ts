import type { z } from 'zod';
import type { ApiEndpoint } from '#contract/api.ts';
import { ApiError, LostConnectionError } from './api-error.ts';
import { reportFailure, reportResponseStatus } from './session-expired.ts';

/** A call by its method and path, as the contract's endpoint table names it: `'GET /api/tracks/:trackId'`. */
export type Call = CallFor<Answering>;

export type ReadCall = Extract<Call, `GET ${string}`>;

/** A call that may change something. */
export type ChangingCall = Exclude<Call, ReadCall>;

export type Answer<C extends Call> = z.output<EndpointFor<C>['response']>;

/** The request of a call: `params`, `query`, `body` or `form`, as far as its endpoint has them. */
export type RequestFor<C extends Call> = ParamsPart<EndpointFor<C>> &
  QueryPart<EndpointFor<C>> &
  BodyPart<EndpointFor<C>> &
  FormPart<EndpointFor<C>>;

/** The request may be left out if no field of it is required. */
export type RequestArguments<Request> = object extends Request ? [request?: Request] : [request: Request];

// Only types come from the contract, so the endpoint table costs the browser nothing.
type Answering = Exclude<ApiEndpoint, { response: string }>;
type CallFor<E> = E extends ApiEndpoint ? `${E['method']} ${E['path']}` : never;
type EndpointFor<C extends Call> = C extends `${infer M} ${infer P}`
  ? Extract<Answering, { method: M; path: P }>
  : never;

type ParamsPart<E> = E extends { params: infer S extends z.ZodObject } ? { params: z.output<S> } : unknown;
type QueryPart<E> = E extends { query: infer S extends z.ZodObject } ? Wrapped<'query', z.input<S>> : unknown;
type BodyPart<E> = E extends { body: infer S extends z.ZodObject } ? { body: z.input<S> } : unknown;
type FormPart<E> = E extends { multipart: object } ? { form: FormData } : unknown;
type Wrapped<Name extends string, Value> = object extends Value
  ? { [N in Name]?: Value }
  : { [N in Name]: Value };

export type AnyRequest = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: FormData;
};

/** Reads from the API. Calls that change data use `useCall` in web/ui. Throws an ApiError for a failed call. */
export async function callApi<C extends ReadCall>(
  call: C,
  ...request: RequestArguments<RequestFor<C>>
): Promise<Answer<C>> {
  return sendCall(call, ...request);
}

/** Sends any call and returns its answer. The server checks every answer against the same contract, so it is not checked again. */
export async function sendCall<C extends Call>(
  call: C,
  ...[request]: RequestArguments<RequestFor<C>>
): Promise<Answer<C>> {
  const [method, path] = splitCall(call);
  const parts: AnyRequest = request ?? {};
  return fetchJson<Answer<C>>(buildUrl(pathSegments(path, parts.params), parts.query), {
    method,
    ...buildBody(parts),
  });
}

let send: (url: string, init: RequestInit) => Promise<Response> = (url, init) => fetch(url, init);

/** Sets the function that sends calls on the server, which answers its own calls for the visitor. */
export function sendCallsThrough(call: (url: string) => Promise<{ status: number; body: string }>): void {
  send = async (url) => {
    const { status, body } = await call(url);
    return new Response(body, { status });
  };
}

/** Fetches JSON; throws an ApiError if the call fails, and a LostConnectionError without an answer. */
export async function fetchJson<T>(url: string, init: RequestInit): Promise<T> {
  const [response, text] = await receive(url, init, (answer) => answer.text());
  reportResponseStatus(url, response.status);
  if (!response.ok) {
    const error = new ApiError(response.status, response.statusText, text);
    reportFailure(error);
    throw error;
  }
  // Only here does an answer get its type: the server has stripped and checked it.
  const answer: T = JSON.parse(text);
  return answer;
}

/** Fetches a file of the server; throws as `fetchJson`. */
export async function fetchFile(url: string, name: string): Promise<File> {
  const [response, content] = await receive(url, {}, (answer) => answer.blob());
  if (!response.ok) throw new ApiError(response.status, response.statusText, await content.text());
  return new File([content], name);
}

/** Sends a request with the browser's credentials, and reads its answer to the end. */
async function receive<Content>(
  url: string,
  init: RequestInit,
  read: (response: Response) => Promise<Content>,
): Promise<[response: Response, content: Content]> {
  try {
    const response = await send(url, { credentials: 'include', ...init });
    return [response, await read(response)];
  } catch (error) {
    throw init.signal?.aborted === true ? error : new LostConnectionError(error);
  }
}

/** Splits `'GET /api/tracks/:trackId'` into its method and path. */
export function splitCall(call: string): [method: string, path: string] {
  const space = call.indexOf(' ');
  return [call.slice(0, space), call.slice(space + 1)];
}

/** Fills the parameters of a path in and returns its segments: `/api/tracks/:trackId` gives `api`, `tracks`, `spa`. */
export function pathSegments(path: string, params: Record<string, unknown> = {}): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (segment.startsWith(':') ? getParameter(params, segment.slice(1)) : segment));
}

/** Joins segments with slashes, and appends the query; absent and empty values are left out. */
export function buildUrl(segments: readonly string[], query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (isScalar(value) && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return `/${segments.join('/')}${text === '' ? '' : `?${text}`}`;
}

function getParameter(params: Record<string, unknown>, name: string): string {
  const value = params[name];
  if (!isScalar(value)) throw new TypeError(`The path needs the parameter ${name}.`);
  return encodeURIComponent(value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function buildBody({ body, form }: AnyRequest): RequestInit {
  if (form) return { body: form };
  if (body === undefined) return {};
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}
