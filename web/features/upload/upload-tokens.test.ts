import { expect, test } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { UploadTokens } from './upload-tokens.ts';

const DELETED = JSON.stringify({
  error: 'not_found',
  message: 'Send it again.',
  fields: { fileToken: 'Gone.' },
});

test('a file goes with its bytes once, and then by the token that the server gave', async () => {
  const tokens = new UploadTokens();
  const [first, second] = [new File(['a'], 'a.csv'), new File(['b'], 'b.csv')];
  expect(await tokens.send([first, second], (parts) => Promise.resolve(parts))).toEqual([first, second]);
  tokens.set(first, 'token-a');
  tokens.set(second, undefined);
  expect(await tokens.send([first, second], (parts) => Promise.resolve(parts))).toEqual(['token-a', second]);
});

test('where the server keeps a file no longer, all go with their bytes, at once and from then on', async () => {
  const tokens = new UploadTokens();
  const files = [new File(['a'], 'a.csv'), new File(['b'], 'b.csv')];
  for (const file of files) tokens.set(file, `token of ${file.name}`);
  const sent: unknown[] = [];
  const send = (parts: (File | string)[]) => {
    sent.push(parts);
    return typeof parts[0] === 'string'
      ? Promise.reject(new ApiError(404, 'Not Found', DELETED))
      : Promise.resolve('stored');
  };
  expect(await tokens.send(files, send)).toBe('stored');
  expect(sent).toEqual([['token of a.csv', 'token of b.csv'], files]);
  await tokens.send(files, send);
  expect(sent.at(-1)).toEqual(files);
});

test('any other failure is not tried again', async () => {
  const tokens = new UploadTokens();
  const file = new File(['a'], 'a.csv');
  tokens.set(file, 'token');
  let calls = 0;
  const failing = tokens.send([file], () => {
    calls += 1;
    return Promise.reject(new ApiError(404, 'Not Found', '{"message":"There is no such track."}'));
  });
  await expect(failing).rejects.toThrow('There is no such track.');
  expect(calls).toBe(1);
});
