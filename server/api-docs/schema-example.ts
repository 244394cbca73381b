import { type JsonSchema, splitNull } from './json-schema.ts';

/** A value that fits the schema: of the examples that the contract gives where there are any, else as plain as can be. */
export function exampleOf(schema: JsonSchema): unknown {
  const { schema: told } = splitNull(schema);
  const { examples, items, prefixItems, properties, additionalProperties, anyOf } = told;
  if (examples?.[0] !== undefined) return examples[0];
  const [choice] = told.const === undefined ? (told.enum ?? []) : [told.const];
  if (choice !== undefined) return choice;
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  if (prefixItems) return prefixItems.map(exampleOf);
  if (typeof items === 'object') return [exampleOf(items)];
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]));
  }
  if (typeof additionalProperties === 'object') return { [EXAMPLE_ID]: exampleOf(additionalProperties) };
  return plainValue(told);
}

const EXAMPLE_ID = '2f0c8e4b-1d90-4a66-9f7e-5b1c7d3f2a10';

const FORMATS: Record<string, string> = { uuid: EXAMPLE_ID, uri: 'https://pitboard.example/' };

function plainValue({ type, format, minimum, exclusiveMinimum }: JsonSchema): unknown {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') {
    const least = Math.max(minimum ?? 0, (exclusiveMinimum ?? -1) + 1);
    return Math.max(least, 0);
  }
  if (type === 'object') return {};
  if (type === 'string') return FORMATS[format ?? ''] ?? 'text';
  return {};
}
