import { z } from 'zod';
import { ENDPOINT_GROUPS } from '#contract/api.ts';
import type { Access, Endpoint, MultipartForm } from '#contract/endpoint.ts';
import { signInCookieName } from '#server/model/people/auth-cookie.ts';
import { ERROR_MEANINGS, ERROR_STATUS, errorBodySchema, type ErrorCode } from '#contract/errors.ts';

type Json = Record<string, unknown>;

const NOT_CHANGED = 'What the caller has already, as `If-None-Match` says, is still so.';

export function openApiDocument(about: { version: string; publicUrl: string }): Json {
  const paths: Record<string, Json> = {};
  for (const [heading, endpoints] of ENDPOINT_GROUPS) {
    for (const endpoint of endpoints) {
      const path = openApiPath(endpoint);
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, heading) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pitboard',
      version: about.version,
      description: 'Everything that the pages of Pitboard do. To be read by people at /api/docs.',
    },
    servers: [{ url: about.publicUrl }],
    tags: ENDPOINT_GROUPS.map(([name]) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBodySchema, 'output') },
      securitySchemes: { signIn: { type: 'apiKey', in: 'cookie', name: signInCookieName(about.publicUrl) } },
    },
  };
}

/** Converts parameters to the syntax of OpenAPI: `/api/tracks/{trackId}`. */
export function openApiPath({ path }: Endpoint): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** Builds a name for a call that is valid in programs and URLs: `get-tracks-trackId`. */
export function operationId({ method, path }: Endpoint): string {
  const words = path.replace('/api/', '').split(/\W+/).filter(Boolean);
  return [method.toLowerCase(), ...words].join('-');
}

function operation(endpoint: Endpoint, tag: string): Json {
  const body = requestBody(endpoint);
  const guarantees = describeGuarantees(endpoint);
  return {
    operationId: operationId(endpoint),
    tags: [tag],
    summary: endpoint.summary,
    ...(guarantees.length > 0 && { description: guarantees.join(' ') }),
    security: endpoint.access === 'public' ? [] : [{ signIn: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: { ...success(endpoint), ...failures(endpoint) },
  };
}

const ACCESS_SENTENCES: Partial<Record<Access, string>> = {
  owner: 'For owners.',
  admin: 'For administrators.',
  moderator: 'For moderators and administrators.',
};

function describeGuarantees({ access, limit, recentSignIn, audit }: Endpoint): string[] {
  const calls = limit === undefined ? [] : [`At most ${limit} calls a minute.`];
  const signIn =
    recentSignIn === undefined
      ? []
      : [`${typeof recentSignIn === 'object' ? 'May need' : 'Needs'} a sign-in of the last 15 minutes.`];
  const actions = audit === undefined ? [] : [audit].flat();
  const log = actions.length === 0 ? [] : [`Audit log: ${actions.join(', ')}.`];
  return [ACCESS_SENTENCES[access] ?? [], signIn, calls, log].flat();
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !isOptional(field),
    schema: jsonSchema(field, 'input'),
  }));
}

export function isOptional(field: z.core.$ZodType): boolean {
  return z.safeParse(field, undefined).success;
}

function requestBody({ body, multipart, rawBody }: Endpoint): Json | undefined {
  if (rawBody) return { '*/*': { schema: BINARY } };
  if (multipart) return { 'multipart/form-data': { schema: formSchema(multipart) } };
  return body && { 'application/json': { schema: jsonSchema(body, 'input') } };
}

const BINARY = { type: 'string', format: 'binary' };

function formSchema({ fileField, maxFiles, fields }: MultipartForm): Json {
  const file = BINARY;
  const names = Object.entries(fields.shape);
  return {
    type: 'object',
    properties: {
      [fileField]: maxFiles === 1 ? file : { type: 'array', items: file, maxItems: maxFiles },
      ...Object.fromEntries(names.map(([name, field]) => [name, jsonSchema(field, 'output')])),
    },
    required: [fileField, ...names.filter(([, field]) => !isOptional(field)).map(([name]) => name)],
  };
}

function success(endpoint: Endpoint): Json {
  const { response } = endpoint;
  if (response === 'redirect') {
    const headers = { location: { schema: { type: 'string' } } };
    return { 302: { description: 'The browser goes on to another address.', headers } };
  }
  const content =
    typeof response === 'string'
      ? { [response]: { schema: BINARY } }
      : { 'application/json': { schema: jsonSchema(response, 'output') } };
  return {
    200: { description: 'Done.', content },
    ...(endpoint.isTagged && { 304: { description: NOT_CHANGED } }),
  };
}

function failures(endpoint: Endpoint): Json {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    possibleErrors(endpoint).map(({ code, meaning }) => [
      ERROR_STATUS[code],
      { description: `\`${code}\`: ${meaning}`, content },
    ]),
  );
}

export function possibleErrors(endpoint: Endpoint): { code: ErrorCode; meaning: string }[] {
  const { method, access, params, query, body, multipart, rawBody, recentSignIn, errors } = endpoint;
  const sent = body ?? multipart ?? rawBody;
  const ofItsKind: Record<ErrorCode, boolean> = {
    invalid_input: Boolean(params ?? query ?? sent),
    not_signed_in: access !== 'public',
    // Calls from pages of other sites are refused.
    not_allowed: ['owner', 'admin', 'moderator'].includes(access) || method !== 'GET',
    suspended: false,
    account_leaving: false,
    confirmation_needed: recentSignIn !== undefined,
    lines_private: false,
    not_found: false,
    conflict: false,
    too_large: sent !== undefined,
    unsupported_type: method !== 'GET',
    laps_do_not_compare: false,
    too_many_requests: true,
    internal: true,
    unavailable: true,
  };
  return ERROR_CODES.filter((code) => ofItsKind[code] || errors?.[code] !== undefined)
    .map((code) => ({ code, meaning: errors?.[code] ?? ERROR_MEANINGS[code] }))
    .toSorted((a, b) => ERROR_STATUS[a.code] - ERROR_STATUS[b.code]);
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys of a constant; the compiler knows them as texts only.
const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** Converts a schema to JSON Schema, for requests (`input`) or for responses (`output`). */
export function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
