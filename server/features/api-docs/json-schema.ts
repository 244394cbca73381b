import { z } from 'zod';

/** As much of a JSON Schema as the contract's schemas become. */
export type JsonSchema = {
  /** Several: any of them. */
  type?: string | string[] | undefined;
  description?: string | undefined;
  examples?: unknown[] | undefined;
  default?: unknown;
  const?: unknown;
  enum?: unknown[] | undefined;
  format?: string | undefined;
  minimum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  maxItems?: number | undefined;
  properties?: Record<string, JsonSchema> | undefined;
  required?: string[] | undefined;
  /** False after the last of `prefixItems`. */
  items?: JsonSchema | boolean | undefined;
  prefixItems?: JsonSchema[] | undefined;
  additionalProperties?: JsonSchema | boolean | undefined;
  anyOf?: JsonSchema[] | undefined;
};

const jsonSchemaSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    examples: z.array(z.unknown()).optional(),
    default: z.unknown().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    format: z.string().optional(),
    minimum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    maxItems: z.number().optional(),
    properties: z.record(z.string(), jsonSchemaSchema).optional(),
    required: z.array(z.string()).optional(),
    items: z.union([z.boolean(), jsonSchemaSchema]).optional(),
    prefixItems: z.array(jsonSchemaSchema).optional(),
    additionalProperties: z.union([z.boolean(), jsonSchemaSchema]).optional(),
    anyOf: z.array(jsonSchemaSchema).optional(),
  }),
);

/** @throws ZodError where it is none that this knows */
export function parseJsonSchema(value: unknown): JsonSchema {
  return jsonSchemaSchema.parse(value);
}

/** The schema of what is not null, and whether null is allowed as well. */
export function splitNull(schema: JsonSchema): { schema: JsonSchema; isNullable: boolean } {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    return { schema: { ...rest, anyOf, type: type.find((name) => name !== 'null') }, isNullable: true };
  }
  if (!anyOf?.some((choice) => choice.type === 'null')) return { schema, isNullable: false };
  const others = anyOf.filter((choice) => choice.type !== 'null');
  const [only] = others;
  const plain = only && others.length === 1 ? { ...only, ...rest } : { ...rest, anyOf: others };
  return { schema: plain, isNullable: true };
}
