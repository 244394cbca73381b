import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldMessage } from './field-messages.ts';

const wordsFor = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: fieldMessage }).error?.issues[0]?.message;

test.each([
  [z.string(), undefined, 'It is missing.'],
  [z.string(), 5, 'It must be text.'],
  [z.coerce.number(), 'many', 'It must be a number.'],
  [z.string().min(1), '', 'It must not be empty.'],
  [z.string().min(2), 'a', 'It must be at least 2 characters.'],
  [z.string().max(3), 'abcd', 'It must be at most 3 characters.'],
  [z.number().max(500), 501, 'It must be at most 500.'],
  [z.enum(['asc', 'desc']), 'up', 'It must be one of asc, desc.'],
  [z.union([z.enum(['asc', 'desc']), z.literal('')]), 'up', 'It must be one of asc, desc.'],
  [z.uuid(), 'up', 'It is not an id.'],
  [z.url(), 'up', 'It is not the address of a page or a file.'],
  [z.number().multipleOf(5), 7, 'It is not valid.'],
  [z.string().max(3, 'Our own words.'), 'abcd', 'Our own words.'],
])('a wrong field gets a message in words (%#)', (schema, value, words) => {
  expect(wordsFor(schema, value)).toBe(words);
});
