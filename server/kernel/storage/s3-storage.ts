import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { PassThrough, pipeline, Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { z } from 'zod';
import type { S3Settings } from '#server/kernel/config/config.ts';
import { checkedKey, isKey } from './storage-key.ts';
import { StorageUnavailableError } from './storage-unavailable.ts';
import type { Storage, StoredContent, StoredObject, UploadAddresses } from './storage.ts';

const CONNECT_TIMEOUT_MS = 5_000;
// The object storage may be silent so long, before it answers or in the middle of an object.
const SILENCE_MAX_MS = 20_000;
// A connection that was kept may have ended meanwhile: that is found out by the first attempt.
const ATTEMPTS_MAX = 2;

/** An S3 client for the settings; the bucket is part of the path, as every S3-compatible server understands it. */
export function openS3Client(
  { endpoint, region, accessKeyId, secretAccessKey }: S3Settings,
  silenceMaxMs = SILENCE_MAX_MS,
): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // A checksum of a body that is not known yet would become part of a signed address.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS_MAX,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: silenceMaxMs },
  });
}

export function openS3Storage(settings: S3Settings, silenceMaxMs = SILENCE_MAX_MS): Storage {
  const client = openS3Client(settings, silenceMaxMs);
  const Bucket = settings.bucket;
  return {
    put: async (key, path) => {
      const Key = checkedKey(key);
      const { size } = await stat(path);
      const Body = createReadStream(path);
      try {
        await telling(client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: size })));
      } finally {
        Body.destroy(); // it is left open where the storage did not take all of it
      }
      await rm(path);
    },
    openRead: (key) => openObject(client, Bucket, checkedKey(key)),
    remove: async (key) => {
      await telling(client.send(new DeleteObjectCommand({ Bucket, Key: checkedKey(key) })));
    },
    list: (prefix) => listObjects(client, Bucket, `${checkedKey(prefix)}/`),
    uploadAddresses: openUploadAddresses(client, settings),
  };
}

async function openObject(client: S3Client, Bucket: string, Key: string): Promise<StoredContent | null> {
  try {
    const { Body, ContentLength } = await telling(client.send(new GetObjectCommand({ Bucket, Key })));
    if (!(Body instanceof Readable) || ContentLength === undefined) {
      throw new Error(`The object storage did not say what ${Key} is.`);
    }
    return { content: tellingContent(Body), byteCount: ContentLength };
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'NoSuchKey') return null;
    throw error;
  }
}

/** The answer, or an error that says whether the storage is unavailable. */
async function telling<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw isOutage(error) ? new StorageUnavailableError(error) : error;
  }
}

/** The same content, whose early end is reported as an unavailable storage. */
function tellingContent(body: Readable): Readable {
  const content = new PassThrough();
  body.once('error', (error) => content.destroy(new StorageUnavailableError(error)));
  pipeline(body, content, () => undefined); // the reader gets the error
  return content;
}

// These are errors of sockets and of the search for a name; the client calls some of them and its own time limits `TimeoutError`.
const OF_THE_NETWORK =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|HPE_\w+|ERR_(?:TLS|SSL)_\w+)$/;

/** Returns whether the storage is unavailable. A refusal is none: wrong settings stay an error that somebody has to look at. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  if (error.name === 'TimeoutError') return true;
  if ('code' in error && OF_THE_NETWORK.test(String(error.code))) return true;
  // The answer may be none of S3's, as a proxy in between may give one.
  const status = answeredSchema.safeParse(error).data?.$metadata.httpStatusCode ?? 0;
  return status >= 500 || status === 429;
}

const answeredSchema = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });

async function* listObjects(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<StoredObject> {
  let ContinuationToken: string | undefined;
  do {
    const page = await telling(
      client.send(
        new ListObjectsV2Command({ Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) }),
      ),
    );
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key && isKey(Key) && LastModified) yield { key: Key, storedAt: LastModified };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
}

function openUploadAddresses(client: S3Client, { endpoint, bucket }: S3Settings): UploadAddresses {
  const { origin, pathname } = new URL(endpoint);
  const folder = `${pathname.replace(/\/$/, '')}/${bucket}/`;
  return {
    origin,
    sign: (key, lastsSeconds) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: checkedKey(key) }), {
        expiresIn: lastsSeconds,
      }),
    keyOf: (address) => {
      if (!URL.canParse(address)) return null;
      const url = new URL(address);
      if (url.origin !== origin || !url.pathname.startsWith(folder)) return null;
      try {
        return checkedKey(url.pathname.slice(folder.length));
      } catch {
        return null; // somebody made it up
      }
    },
  };
}
