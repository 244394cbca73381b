import { ApiError } from '#web/api/api-error.ts';

// The server keeps a file that it has analysed, and names it by a token: what follows sends the token instead of the bytes.

/** A file that the server has forgotten is sent once more. */
const tokens = new WeakMap<File, string>();

export function rememberToken(file: File, fileToken: string | undefined): void {
  if (fileToken !== undefined) tokens.set(file, fileToken);
}

export function hasToken(file: File): boolean {
  return tokens.has(file);
}

/**
 * Sends a form with files, those that the server keeps by their tokens. Where it keeps one of them no longer, the form is sent again
 * with the bytes of all.
 */
export async function sendFiles<Answer>(
  files: readonly File[],
  send: (parts: (File | string)[]) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(files.map((file) => tokens.get(file) ?? file));
  } catch (error) {
    const isForgotten = error instanceof ApiError && error.fields['fileToken'] !== undefined;
    if (!isForgotten || !files.some(hasToken)) throw error;
    for (const file of files) tokens.delete(file);
    return await send([...files]);
  }
}
