import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { MultipartForm } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { checkAccessAgain } from './check-access.ts';
import { parseInput } from './endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { toShownFileName } from '#server/kernel/files/shown-file-name.ts';

/** A file of a form, on our disk until the call is answered. */
export type ReceivedFile = {
  /** The name that the sender gave; it is shown and never used as a path. */
  name: string;
  path: string;
  sha256: string;
  byteCount: number;
  /** The text that named the file in the form, for a file that was received before. */
  reference?: string;
};

export type Incoming = {
  folder: string;
  /** Opens a file that a text of the form names instead of holding it. @throws AppError */
  openReferenced?: (fieldName: string, reference: unknown) => Promise<ReceivedFile>;
};

export type ReceivedForm<Form extends MultipartForm> = {
  fields: z.output<Form['fields']>;
  /** The files in the order of the form; at least one. */
  files: ReceivedFile[];
};

/**
 * Receives a form with files: streams each file into a folder while hashing it, checks the fields, wherever they are in
 * the form, and gives both to `use`. Whatever happens, the files are gone from the folder afterwards, unless `use` moved them.
 * @throws AppError where something is over a limit or missing; the sentence names the limit
 */
export async function withForm<Form extends MultipartForm, Result>(
  request: FastifyRequest,
  form: Form,
  { folder, openReferenced }: Incoming,
  use: (received: ReceivedForm<Form>) => Promise<Result>,
): Promise<Result> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_type', 'Send the files as a form (multipart/form-data).');
  }
  const files: ReceivedFile[] = [];
  try {
    const values = await receiveParts(request, form, async (part) => {
      if (part.type === 'file') files.push(await spool(part, folder, form));
      else if (openReferenced) files.push(await openReferenced(part.fieldname, part.value));
    });
    await checkAccessAgain(request);
    const fields = parseInput<Form['fields']>(form.fields, values);
    if (files.length === 0) {
      const sentence = 'Choose at least one file.';
      throw new AppError('invalid_input', sentence, { fields: { [form.fileField]: sentence } });
    }
    return await use({ fields, files });
  } finally {
    await Promise.all(files.map(({ path }) => rm(path, { force: true })));
    // The unread rest is let through: a sender who is still writing would never see our answer.
    request.raw.resume();
  }
}

// No form of ours has so many; proxies and clients may add some of their own.
const FIELDS_MAX = 20;
const FIELD_BYTES_MAX = 8 * 1024;
// The parser never ends where more than this of a part that it skips comes with the end of the form: such a part is never read, and
// the parser waits for that. A name with line ends makes it skip a file. This is several times what one reading of a socket brings.
const PART_BUFFER_BYTES = 512 * 1024;

async function receiveParts(
  request: FastifyRequest,
  { fileField, maxFiles, takesTokens, fileBytesMax = LIMITS.lapFileBytesMax }: MultipartForm,
  receiveFile: (part: Multipart) => Promise<void>,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const parts = request.parts({
    fileHwm: PART_BUFFER_BYTES,
    limits: {
      fileSize: fileBytesMax,
      files: maxFiles,
      fields: takesTokens ? FIELDS_MAX + maxFiles : FIELDS_MAX,
      fieldSize: FIELD_BYTES_MAX,
    },
  });
  let fileCount = 0;
  try {
    for await (const part of parts) {
      if (isFile(part)) {
        if (++fileCount > maxFiles) throw tooManyFiles(maxFiles);
        await receiveFile(part);
      } else if (part.type === 'field') values[part.fieldname] = readValue(part);
      else part.file.resume(); // an empty file input, or a file that the form does not have
    }
  } catch (error) {
    throw isOurs(error) ? error : formError(error, maxFiles);
  }
  return values;

  function isFile(part: Multipart): boolean {
    if (part.fieldname !== fileField) return false;
    return part.type === 'file' ? part.filename !== '' : takesTokens === true && part.value !== '';
  }
}

function readValue(part: Extract<Multipart, { type: 'field' }>): unknown {
  if (!part.valueTruncated) return part.value;
  throw new AppError('too_large', `The field ${part.fieldname} may have at most ${FIELD_BYTES_MAX} bytes.`);
}

// The disk gets few large pieces: a sender need not wait for each of them to be written.
const WAITING_BYTES_MAX = 1024 * 1024;

async function spool(part: MultipartFile, folder: string, form: MultipartForm): Promise<ReceivedFile> {
  const path = join(folder, randomUUID());
  const hash = createHash('sha256');
  let byteCount = 0;
  part.file.on('data', (bytes: Buffer) => {
    hash.update(bytes);
    byteCount += bytes.length;
  });
  try {
    await pipeline(part.file, createWriteStream(path, { flags: 'wx', highWaterMark: WAITING_BYTES_MAX }));
    if (part.file.truncated)
      throw new AppError(
        'too_large',
        `${toShownFileName(part.filename)} is too large: ${limitSentence(form)}`,
      );
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { name: toShownFileName(part.filename), path, sha256: hash.digest('hex'), byteCount };
}

function limitSentence({ fileBytesMax }: MultipartForm): string {
  const megabytes = (fileBytesMax ?? LIMITS.lapFileBytesMax) / (1024 * 1024);
  return `${fileBytesMax === undefined ? 'a lap file' : 'this file'} may have at most ${megabytes} MB.`;
}

/** Returns whether the form is not at fault: the error is an answer of ours, or comes from our disk. */
function isOurs(error: unknown): boolean {
  if (error instanceof AppError) return true;
  return (
    error instanceof Error && 'syscall' in error && (error.syscall === 'open' || error.syscall === 'write')
  );
}

function tooManyFiles(maxFiles: number, cause?: unknown): AppError {
  const files = maxFiles === 1 ? 'One file' : `At most ${maxFiles} files`;
  return new AppError('too_large', `${files} can be sent at once.`, { cause });
}

function formError(cause: unknown, maxFiles: number): AppError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'FST_FILES_LIMIT') return tooManyFiles(maxFiles, cause);
  if (code === 'FST_FIELDS_LIMIT') {
    return new AppError('too_large', `A form can have at most ${FIELDS_MAX} fields.`, { cause });
  }
  return new AppError('invalid_input', 'The form broke off or cannot be read.', { cause });
}
