import type { Services } from '#server/model/services.ts';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import { TOO_LARGE_SENTENCE } from '#server/model/images/finalize-upload.ts';
import { isUploadTaken } from '#server/model/images/image-store.ts';

/** Streams a body to `key`; one too large, broken off or repeated leaves nothing in the storage. @throws AppError */
export async function receiveObject(
  services: Pick<Services, 'database' | 'storage' | 'incomingFolder'>,
  request: FastifyRequest,
  key: string,
): Promise<void> {
  const { storage, incomingFolder } = services;
  const path = join(incomingFolder, randomUUID());
  try {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding !== 'identity')
      throw new AppError('unsupported_type', 'Send the image as it is, not compressed.');
    if (Number(request.headers['content-length'] ?? 0) > LIMITS.imageBytesMax) throw tooLarge();
    if (await isUsed(services, key)) throw usedBefore();
    // This closes the file before it throws; a stream may create the file after its removal.
    await writeFile(path, limitBytes(request.raw), { flag: 'wx' }).catch(explain);
    if (await isUsed(services, key)) throw usedBefore();
    await storage.put(key, path);
  } finally {
    await rm(path, { force: true });
    // The rest of the body is read and dropped: a sender that is still writing would never see the answer.
    request.raw.resume();
  }
}

async function* limitBytes(chunks: Readable): AsyncGenerator<Buffer> {
  let byteCount = 0;
  // Leaving the loop must not end the connection that the answer goes to.
  for await (const chunk of chunks.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk;
    byteCount += bytes.length;
    if (byteCount > LIMITS.imageBytesMax) throw tooLarge();
    yield bytes;
  }
}

/** Tests if an image was sent to this key before, whether it still waits or is already shown. */
async function isUsed({ database, storage }: Pick<Services, 'database' | 'storage'>, key: string) {
  const found = await storage.openRead(key);
  found?.content.destroy();
  return found !== null || (await isUploadTaken(database.db, key));
}

function explain(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    throw new AppError('invalid_input', 'The image broke off on its way.', { cause: error });
  }
  throw error;
}

function tooLarge(): AppError {
  return new AppError('too_large', TOO_LARGE_SENTENCE);
}

function usedBefore(): AppError {
  return new AppError('conflict', 'This address has taken an image already.');
}
