import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AuditAction } from '#contract/audit/labels.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Viewer } from '#contract/people/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError, type FieldProblems } from '#server/kernel/errors.ts';
import { checkAccess, checkAccessAgain, findViewer } from './check-access.ts';
import type { AuditDetails, WriteAudit } from './endpoint-hooks.ts';
import { fieldMessage } from './field-messages.ts';
import {
  checkContentType,
  checkIsObject,
  holdsUnstorableText,
  UNSTORABLE_TEXT_SENTENCE,
} from './read-json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint that the route serves; hooks and tests ask for it. */
    endpoint?: Endpoint;
  }
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Holds one checked call of `E`: everything in it has the shape that the endpoint's schemas name. */
export type Call<E extends Endpoint> = {
  params: Parsed<E['params']>;
  query: Parsed<E['query']>;
  body: Parsed<E['body']>;
  /** The signed-in user; null for a guest, who may call public endpoints only. */
  viewer: E['access'] extends 'public' ? Viewer | null : Viewer;
  /** Writes an audit entry that the endpoint declares. Call it in the transaction that makes the change. */
  audit: CallAudit<E>;
  request: FastifyRequest;
  reply: FastifyReply;
};

type Declared<E extends Endpoint> = E extends { audit: infer Audit } ? Audit : never;

/** The function takes the action too where the endpoint declares several; an endpoint that declares none has no such function. */
type CallAudit<E extends Endpoint> = [Declared<E>] extends [never]
  ? undefined
  : WriteAudit<Declared<E> extends readonly (infer Action)[] ? { action: Action } : unknown>;

type Answer<E extends Endpoint> = E['response'] extends z.ZodType ? z.input<E['response']> : FastifyReply;

/** An answer that was checked against its schema and written elsewhere, in a worker thread: it is sent as it is. */
export type FinishedJson = { finishedJson: Uint8Array };

// The longest JSON of a guest is that of a passkey, with 100,000 characters. A deep list of 1 MB takes 50 ms to parse.
const GUEST_BODY_BYTES_MAX = 128 * 1024;

// A whole club may be behind one address.
const ADDRESS_FACTOR = 10;

/**
 * Serves one endpoint of the contract. A caller without access is refused before the body is read; params, query and body
 * are parsed by the endpoint's schemas and every problem is reported at once; a caller who has lost the access while the body
 * came is refused; `authorize` refuses what depends on the values of the call; then a sign-in that is too old is refused,
 * before the handler runs; the answer loses each field that the response schema does not name. An endpoint that redirects or
 * answers a file replies by itself.
 */
export function serve<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E> | FinishedJson>,
  authorize: (call: Call<E>) => Promise<void> | void = () => {},
): void {
  const { limit } = endpoint;
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.access === 'public' && !endpoint.rawBody && { bodyLimit: GUEST_BODY_BYTES_MAX }),
    config: {
      endpoint,
      ...(limit !== undefined && {
        rateLimit: {
          max: endpoint.access === 'public' ? limit : ADDRESS_FACTOR * limit,
          timeWindow: '1 minute',
          groupId: ` ${endpoint.method} ${endpoint.path}`,
        },
      }),
    },
    onRequest: (request, _reply, done) => {
      checkAccess(endpoint, request);
      checkContentType(endpoint, request);
      done();
    },
    handler: async (request, reply) => {
      const { params, query, body } = parseInputs(endpoint, request);
      if (request.body !== undefined) await checkAccessAgain(request);
      const viewer = findViewer(endpoint, request);
      const audit = writeAudit(app, endpoint, viewer);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Each schema was applied, and a guest does not get this far; the compiler cannot follow either.
      const call = { params, query, body, viewer, audit, request, reply } as Call<E>;
      await authorize(call);
      await checkRecentSignIn(app, endpoint, request, { ...Object(query), ...Object(body) });
      const answer: unknown = await handler(call);
      if (isFinished(answer)) return reply.type(JSON_TYPE).send(toBuffer(answer));
      return typeof endpoint.response === 'string' ? reply : endpoint.response.parse(answer);
    },
  });
}

async function checkRecentSignIn(
  app: FastifyInstance,
  { recentSignIn }: Endpoint,
  request: FastifyRequest,
  input: Record<string, unknown>,
): Promise<void> {
  if (recentSignIn === undefined) return;
  if (typeof recentSignIn === 'object' && !recentSignIn.if(input)) return;
  const sentence = typeof recentSignIn === 'object' ? recentSignIn.sentence : recentSignIn;
  await app.endpointHooks.requireRecentSignIn(request, sentence === true ? undefined : sentence);
}

function writeAudit(app: FastifyInstance, { audit }: Endpoint, viewer: Viewer | null) {
  if (audit === undefined) return undefined;
  return async (tx: Database, details: AuditDetails & { action?: AuditAction }): Promise<void> => {
    const action = typeof audit === 'string' ? audit : details.action;
    if (action === undefined) throw new Error('An endpoint with several audit actions named none.');
    const userId = viewer?.id ?? null;
    await app.endpointHooks.insertAuditEntry(tx, { counts: {}, ...details, userId, action });
  };
}

/** Parses `value` and reports every problem by the name of its field. @throws AppError `invalid_input` */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: fieldMessage });
  if (result.success) return result.data;
  throw invalidInput(collectProblems(result.error));
}

type Inputs = Record<'params' | 'query' | 'body', unknown>;

function parseInputs(endpoint: Endpoint, request: FastifyRequest): Inputs {
  if (endpoint.body) checkIsObject(request.body);
  const problems: FieldProblems = {};
  const parse = (schema: z.ZodObject | undefined, value: unknown) => {
    const result = schema?.safeParse(value ?? {}, { error: fieldMessage });
    if (result && !result.success) Object.assign(problems, collectProblems(result.error));
    return result?.data;
  };
  const inputs = {
    params: parse(endpoint.params, request.params),
    query: parse(endpoint.query, request.query),
    body: parse(endpoint.body, request.body),
  };
  for (const [name, field] of Object.entries(inputs.body ?? {}))
    if (holdsUnstorableText(field)) problems[name] = UNSTORABLE_TEXT_SENTENCE;
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return inputs;
}

const JSON_TYPE = 'application/json; charset=utf-8';

function isFinished(answer: unknown): answer is FinishedJson {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'finishedJson' in answer &&
    answer.finishedJson instanceof Uint8Array
  );
}

function toBuffer({ finishedJson }: FinishedJson): Buffer {
  if (Buffer.isBuffer(finishedJson)) return finishedJson;
  const { buffer, byteOffset, byteLength } = finishedJson;
  return Buffer.from(buffer, byteOffset, byteLength);
}

function collectProblems(error: z.ZodError): FieldProblems {
  const problems: FieldProblems = {};
  for (const issue of error.issues) problems[issue.path.join('.') || 'request'] ??= issue.message;
  return problems;
}

function invalidInput(fields: FieldProblems): AppError {
  const names = Object.keys(fields);
  const sentence =
    names.length === 1
      ? `There is a problem with ${names[0]}: ${fields[names[0] ?? '']}`
      : `There are problems with ${names.join(', ')}.`;
  return new AppError('invalid_input', sentence, { fields });
}
