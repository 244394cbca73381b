import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '#server/config.ts';
import { checkedKey } from './storage-key.ts';
import type { Storage, StoredContent, StoredObject, UploadAddresses } from './storage.ts';

const CONNECT_TIMEOUT_MS = 5_000;
// How long the object storage may be silent in the middle of an object.
const SILENCE_MAX_MS = 60_000;

/** An S3 client for the settings; the bucket is part of the path, as every S3-compatible server understands it. */
export function openS3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // A checksum of a body that is not known yet would become part of a signed address.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_MAX_MS },
  });
}

/** Keeps objects in a bucket of any S3-compatible object storage. */
export function openS3Storage(settings: S3Settings): Storage {
  const client = openS3Client(settings);
  const Bucket = settings.bucket;
  return {
    put: async (key, path) => {
      const Key = checkedKey(key);
      const { size } = await stat(path);
      await client.send(
        new PutObjectCommand({ Bucket, Key, Body: createReadStream(path), ContentLength: size }),
      );
      await rm(path);
    },
    openRead: (key) => openObject(client, Bucket, checkedKey(key)),
    remove: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key: checkedKey(key) }));
    },
    list: (prefix) => listObjects(client, Bucket, `${checkedKey(prefix)}/`),
    uploadAddresses: uploadAddressesOf(client, settings),
  };
}

async function openObject(client: S3Client, Bucket: string, Key: string): Promise<StoredContent | null> {
  try {
    const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key }));
    if (!(Body instanceof Readable) || ContentLength === undefined) {
      throw new Error(`The object storage did not say what ${Key} is.`);
    }
    return { content: Body, byteCount: ContentLength };
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'NoSuchKey') return null;
    throw error;
  }
}

async function* listObjects(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<StoredObject> {
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) }),
    );
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key && LastModified) yield { key: Key, storedAt: LastModified };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
}

function uploadAddressesOf(client: S3Client, { endpoint, bucket }: S3Settings): UploadAddresses {
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
