import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { ENDPOINTS } from '#contract/api.ts';
import type { Endpoint, MultipartForm } from '#contract/endpoint.ts';
import { SIGN_IN_COOKIE } from '#server/auth/sign-in-cookie.ts';
import { ERROR_STATUS, errorBodySchema, type ErrorCode } from '#contract/errors.ts';

type Json = Record<string, unknown>;

/** The endpoint table as an OpenAPI 3.1 document. */
export function openApiDocument(about: { version: string; publicUrl: string }): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Pitboard', version: about.version },
    servers: [{ url: about.publicUrl }],
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBodySchema, 'output') },
      securitySchemes: { signIn: { type: 'apiKey', in: 'cookie', name: SIGN_IN_COOKIE } },
    },
  };
}

function operation(endpoint: Endpoint): Json {
  const body = requestBody(endpoint);
  return {
    summary: endpoint.summary,
    ...(endpoint.access !== 'public' && { security: [{ signIn: [] }] }),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: { ...success(endpoint), ...failures(endpoint) },
  };
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: jsonSchema(field, 'input'),
  }));
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
    required: [
      fileField,
      ...names.filter(([, field]) => !z.safeParse(field, undefined).success).map(([name]) => name),
    ],
  };
}

function success({ response }: Endpoint): Json {
  if (response === 'redirect') return { 302: { description: 'The browser goes on.' } };
  const content =
    typeof response === 'string'
      ? { [response]: { schema: BINARY } }
      : { 'application/json': { schema: jsonSchema(response, 'output') } };
  return { 200: { description: 'OK', content } };
}

function failures(endpoint: Endpoint): Json {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const statuses = new Set(errorCodes(endpoint).map((code) => ERROR_STATUS[code]));
  return Object.fromEntries(
    [...statuses].map((status) => [status, { description: STATUS_CODES[status], content }]),
  );
}

/** What a call of this kind can answer besides success. */
function errorCodes({ method, access, params, query, body, multipart, rawBody }: Endpoint): ErrorCode[] {
  const sent = body ?? multipart ?? rawBody;
  return [
    ...(params || query || sent ? (['invalid_input'] as const) : []),
    ...(access === 'public' ? [] : (['not_signed_in'] as const)),
    // Whoever may call from our own pages may not from others.
    ...(access === 'admin' || method !== 'GET' ? (['not_allowed'] as const) : []),
    ...(params || body ? (['not_found'] as const) : []),
    ...(sent ? (['conflict', 'too_large', 'unsupported_type'] as const) : []),
    'too_many_requests',
    'internal',
    'unavailable',
  ];
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
