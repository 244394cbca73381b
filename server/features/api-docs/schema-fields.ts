import { type JsonSchema, splitNull } from './json-schema.ts';

/** A field as the documentation lists it. */
export type DocumentedField = {
  /** With those that it is part of: `tracks[].startFinishLine.a.lat`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string | null;
};

/** Every field of an object, or of the objects of a list, those within it after it. */
export function listFields(schema: JsonSchema, prefix = ''): DocumentedField[] {
  const { schema: plain } = splitNull(schema);
  if (typeof plain.items === 'object') return listFields(plain.items, `${prefix}[]`);
  if (typeof plain.additionalProperties === 'object') {
    return listFields(plain.additionalProperties, `${prefix}{}`);
  }
  return Object.entries(plain.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const isRequired = plain.required?.includes(key) ?? false;
    const own = { name, type: nameType(field), isRequired, description: field.description ?? null };
    return [own, ...listFields(field, name)];
  });
}

/** What may stand in a place, in words: `text or null`, `list of whole numbers`. */
export function nameType(schema: JsonSchema): string {
  const { schema: plain, isNullable } = splitNull(schema);
  return nameKind(plain) + nameLimits(plain) + (isNullable ? ', or null' : '');
}

function nameKind(schema: JsonSchema): string {
  const { anyOf, enum: choices, items, prefixItems, additionalProperties, type, format } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(', ');
  if (anyOf) return anyOf.map(nameKind).join(', ');
  if (prefixItems) return `list of ${prefixItems.length}: ${prefixItems.map(nameKind).join(', ')}`;
  if (typeof items === 'object') return `list, each ${nameType(items)}`;
  if (typeof additionalProperties === 'object')
    return `object by key, each ${nameType(additionalProperties)}`;
  return (format && FORMATS[format]) ?? nameTypes(type);
}

function nameTypes(type: JsonSchema['type']): string {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return types.map((name) => TYPES[name] ?? name).join(', ') || 'anything';
}

const FORMATS: Record<string, string> = { uuid: 'UUID', uri: 'address (URL)', binary: 'file' };

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
};

function nameLimits({
  minimum,
  exclusiveMinimum,
  maximum,
  minLength,
  maxLength,
  maxItems,
}: JsonSchema): string {
  const limits = [
    isTelling(minimum) ? `from ${minimum}` : null,
    isTelling(exclusiveMinimum) ? `above ${exclusiveMinimum}` : null,
    isTelling(maximum) ? `to ${maximum}` : null,
    minLength !== undefined && minLength > 1 ? `at least ${minLength} characters` : null,
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    maxItems === undefined ? null : `at most ${maxItems}`,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? '' : ` (${limits.join(' ')})`;
}

/** Schemas without a limit give the largest whole number of JavaScript. */
function isTelling(limit: number | undefined): limit is number {
  return limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
}
