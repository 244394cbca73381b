import { type JsonSchema, splitNull } from './json-schema.ts';

/** A value that fits the schema: of the examples that the contract gives where there are any, else as plain as can be. */
export function makeExample(schema: JsonSchema): unknown {
  const { schema: plain } = splitNull(schema);
  const { examples, items, prefixItems, properties, additionalProperties, anyOf } = plain;
  if (examples?.[0] !== undefined) return examples[0];
  const [choice] = plain.const === undefined ? (plain.enum ?? []) : [plain.const];
  if (choice !== undefined) return choice;
  if (anyOf?.[0]) return makeExample(anyOf[0]);
  if (prefixItems) return prefixItems.map(makeExample);
  if (typeof items === 'object') return [makeExample(items)];
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, makeExample(field)]));
  }
  if (typeof additionalProperties === 'object') return { [EXAMPLE_ID]: makeExample(additionalProperties) };
  return plainValue(plain);
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
