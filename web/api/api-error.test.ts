import { expect, test } from 'vitest';
import { ApiError, describeError } from './api-error.ts';

test('the message is the status, a colon, a space and the text of the body', () => {
  expect(new ApiError(500, 'Internal Server Error', 'it broke').message).toBe('500: it broke');
});

test('the status text replaces an empty body', () => {
  expect(new ApiError(404, 'Not Found', '').message).toBe('404: Not Found');
});

test('the sentence is the message of the body, else its error', () => {
  const body = JSON.stringify({
    error: 'conflict',
    message: 'That name is taken.',
    fields: { name: 'Taken.' },
  });
  const error = new ApiError(409, 'Conflict', body);
  expect(error.sentence).toBe('That name is taken.');
  expect(error.fields).toEqual({ name: 'Taken.' });
  expect(new ApiError(400, '', JSON.stringify({ error: 'The file is empty.' })).sentence).toBe(
    'The file is empty.',
  );
});

test('a body of another kind still gives a sentence', () => {
  for (const body of ['<html>', 'null', '[1]', '{"message":7}']) {
    expect(new ApiError(502, 'Bad Gateway', body).sentence).toBe('Something went wrong. Please try again.');
  }
  expect(describeError(new TypeError('x is undefined'))).toBe('Something went wrong. Please try again.');
});

test('where the server says nothing, the caller may have a better sentence', () => {
  expect(describeError(new ApiError(502, 'Bad Gateway', '<html>'), 'No file was read.')).toBe(
    'No file was read.',
  );
  expect(describeError(new ApiError(400, '', '{"error":"Too long."}'), 'No file was read.')).toBe(
    'Too long.',
  );
});
