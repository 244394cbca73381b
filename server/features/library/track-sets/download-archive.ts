import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { AppError, DISK_FULL_SENTENCE, isDiskFullError } from '#server/kernel/errors.ts';
import { BlockedAddressError, resolvePublicAddress } from '#server/kernel/http/public-address.ts';

export type Download = {
  url: string;
  /** The archive is written here; a part of it stays after a failure, and is continued. */
  path: string;
  bytesMax: number;
  version: string;
  /** Only tests let a download lead to this computer. */
  allowsLoopback: boolean;
  onProgress: (done: number, total: number | null) => void;
  signal?: AbortSignal | undefined;
  silentMsMax?: number;
};

const SILENT_MS_MAX = 30_000;
const REDIRECTS_MAX = 3;
// A host that hangs up again and again gets so many calls at once.
const ATTEMPTS_MAX = 4;

const OTHERWISE = 'Look whether this server reaches the internet, and try again';

/**
 * Downloads an archive over HTTPS. After a cut-off it goes on where it was, if the host offers that for the same archive, else
 * from the start.
 * @throws AppError with a sentence for the person who started it
 */
export async function downloadArchive(download: Download): Promise<void> {
  let doneBefore = -1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await downloadOnce(download);
      return;
    } catch (error) {
      const done = await sizeOf(download.path);
      const goesOn = error instanceof CutOffError && done > doneBefore && attempt < ATTEMPTS_MAX;
      if (!goesOn || download.signal?.aborted) throw explain(error, done);
      doneBefore = done;
    }
  }
}

/** Removes an archive and what is known about a part of it. */
export async function removeArchive(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(tagPath(path), { force: true });
}

/** The connection ended before the whole archive was here. */
class CutOffError extends Error {
  override name = 'CutOffError';
}

function explain(error: unknown, done: number): unknown {
  if (error instanceof AppError) return error;
  const fail = (sentence: string) => new AppError('unavailable', sentence, { cause: error });
  if (isDiskFullError(error)) return fail(DISK_FULL_SENTENCE);
  if (error instanceof BlockedAddressError)
    return fail('The address of the set leads into a private network, so it is not fetched.');
  if (error instanceof CutOffError)
    return fail(
      `The download was cut off after ${formatMegabytes(done)}. Try again: it goes on where it ended if the host offers that.`,
    );
  return fail(`The host of the set cannot be reached. ${OTHERWISE}.`);
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const tagPath = (path: string): string => `${path}.etag`;

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

async function downloadOnce(download: Download): Promise<void> {
  const { path } = download;
  const tag = await readFile(tagPath(path), 'utf8').catch(() => null);
  // Only an archive with a strong tag is known to be the same bytes; a host may pack the same files otherwise.
  const from = tag === null ? 0 : await sizeOf(path);
  const range = from > 0 && tag !== null ? { range: `bytes=${from}-`, 'if-range': tag } : {};
  const response = await open(download, new URL(download.url), range, REDIRECTS_MAX);
  try {
    await receive(download, response, from);
  } finally {
    response.destroy();
  }
}

async function receive(download: Download, response: IncomingMessage, from: number): Promise<void> {
  const { path, bytesMax, onProgress } = download;
  const isContinued = response.statusCode === 206 && isRangeFrom(response, from);
  if (!isContinued) await removeArchive(path);
  checkAnswer(response, isContinued);
  await rememberTag(path, response);
  const start = isContinued ? from : 0;
  const length = Number(response.headers['content-length'] ?? Number.NaN);
  const total = Number.isFinite(length) ? start + length : null;
  if ((total ?? 0) > bytesMax) throw tooLarge(bytesMax);
  let done = start;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      done += chunk.length;
      if (done > bytesMax) throw tooLarge(bytesMax);
      yield chunk;
      onProgress(done, total);
    }
  };
  onProgress(done, total);
  const file = createWriteStream(path, { flags: isContinued ? 'a' : 'w' });
  await pipeline(response, counted, file).catch((error: unknown) => {
    throw isOwnFailure(error) ? error : new CutOffError('The connection ended.', { cause: error });
  });
  if (total !== null && done < total) throw new CutOffError('The body is too short.');
}

async function rememberTag(path: string, { headers: { etag } }: IncomingMessage): Promise<void> {
  if (etag !== undefined && !etag.startsWith('W/')) await writeFile(tagPath(path), etag);
}

const isOwnFailure = (error: unknown): boolean => error instanceof AppError || isDiskFullError(error);

function isRangeFrom(response: IncomingMessage, from: number): boolean {
  return response.headers['content-range']?.startsWith(`bytes ${from}-`) ?? false;
}

function tooLarge(bytesMax: number): AppError {
  const sentence = `The archive is larger than ${Math.round(bytesMax / 1_000_000)} MB, which no version of this set is. Nothing was added; update Pitboard.`;
  return new AppError('too_large', sentence);
}

const ARCHIVE_TYPES = /^application\/(?:zip|x-zip-compressed|octet-stream)\b/;

function checkAnswer({ statusCode = 0, headers }: IncomingMessage, isContinued: boolean): void {
  if (statusCode === 404 || statusCode === 410)
    throw refuse('The host has this version of the set no longer. Update Pitboard, and try again.');
  if (statusCode === 403 || statusCode === 429)
    throw refuse('The host of the set refuses more downloads for now. Try again in an hour.');
  if (statusCode !== 200 && !isContinued)
    throw refuse(`The host of the set answers with an error (${statusCode}). Try again later.`);
  const type = headers['content-type'] ?? 'no type';
  if (!ARCHIVE_TYPES.test(type))
    throw refuse(
      `The host sent ${type.slice(0, 60)} instead of a ZIP archive. A proxy on the way may have answered instead. Check it, and try again.`,
    );
}

const refuse = (sentence: string): AppError => new AppError('unavailable', sentence);

/** Opens a response and follows redirects, each to a checked address. */
async function open(
  download: Download,
  url: URL,
  headers: Record<string, string>,
  redirectsLeft: number,
): Promise<IncomingMessage> {
  const isOwnTest = download.allowsLoopback && url.protocol === 'http:';
  if (url.protocol !== 'https:' && !isOwnTest)
    throw refuse('The set is not served over HTTPS, so it is not fetched.');
  const response = await send(download, url, headers);
  const { statusCode = 0, headers: answered } = response;
  if (statusCode < 300 || statusCode >= 400 || answered.location === undefined) return response;
  response.destroy();
  if (redirectsLeft === 0) throw refuse('The host of the set leads on and on. Try again later.');
  return await open(download, new URL(answered.location, url), headers, redirectsLeft - 1);
}

async function send(
  { allowsLoopback, version, signal, silentMsMax = SILENT_MS_MAX }: Download,
  url: URL,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const { address, family } = await resolvePublicAddress(url.hostname, { allowsLoopback });
  // The connection uses the checked IP address; the name is for TLS and the Host header only.
  const lookup: LookupFunction = (_host, { all }, done) =>
    all ? done(null, [{ address, family }]) : done(null, address, family);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return await new Promise((resolve, reject) => {
    const sent = request(url, {
      lookup,
      agent: false,
      ...(signal && { signal }),
      headers: { 'user-agent': `Pitboard/${version}`, accept: 'application/zip', ...headers },
    });
    sent.setTimeout(silentMsMax, () => sent.destroy(new Error('The host is silent.')));
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end();
  });
}
