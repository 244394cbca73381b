import type { z } from 'zod';

const THINGS: Record<string, string> = { string: 'characters', array: 'entries', file: 'bytes' };
const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'empty',
};

const NOT_VALID = 'It is not valid.';

const FORMATS: Record<string, string> = {
  uuid: 'It is not an id.',
  url: 'It is not the address of a page or a file.',
};

export const fieldMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'It is missing.';
      return `It must be ${KINDS[issue.expected] ?? `of the type ${issue.expected}`}.`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'It must not be empty.';
      return `It must be at least ${issue.minimum}${formatUnit(issue.origin)}.`;
    case 'too_big':
      return `It must be at most ${issue.maximum}${formatUnit(issue.origin)}.`;
    case 'invalid_value':
      return `It must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}.`;
    default:
      return rareMessage(issue);
  }
};

function rareMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_format') return FORMATS[issue.format] ?? NOT_VALID;
  // A text that may be one of several or empty is described by the several.
  if (issue.code === 'invalid_union') return issue.errors[0]?.[0]?.message ?? NOT_VALID;
  return NOT_VALID;
}

function formatUnit(origin: string): string {
  const thing = THINGS[origin];
  return thing === undefined ? '' : ` ${thing}`;
}
