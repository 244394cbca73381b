import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { imageStorageKey } from '#server/model/images/image-key.ts';
import { isDamagedError, openContent } from '#server/kernel/storage/compressed.ts';
import { listSessionVideos } from '#server/model/videos/video-store.ts';
import { refusedFileKey } from '#server/model/refused-files/refused-files.ts';
import type { TraceDeps } from '#server/model/laps/lap-traces.ts';
import { getAccount, listLaps, listOwnSessions, type OwnSession } from './account-export-store.ts';
import { exportTraces } from './export-traces.ts';

type Account = Awaited<ReturnType<typeof getAccount>>;

type Entry = { name: string; open: () => Promise<Readable | null>; isCompressed: boolean };

/**
 * Exports all data of a user, as a ZIP archive that is written while it is read: account.json, lap files, traces of laps,
 * refused files and images. A file that is damaged in the storage is cut off there, and a text file beside it says so.
 * One file at a time is open, so the size of an export does not affect memory.
 */
export function exportAccount(deps: TraceDeps, userId: UserId): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  fill(zip, output, entriesOf(deps, userId)).then(
    () => zip.end(),
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return output;
}

async function fill(zip: ZipFile, output: Readable, entries: AsyncIterable<Entry>): Promise<void> {
  let current: Readable | null = null;
  // The client may have closed the connection, so the open file is closed.
  output.once('close', () => current?.destroy());
  for await (const { name, open, isCompressed } of entries) {
    current = await open();
    if (output.destroyed) {
      current?.destroy();
      return;
    }
    if (current === null) continue; // deleted since the list was read
    zip.addReadStream(current, name, { compress: isCompressed });
    await finished(current);
  }
}

async function* entriesOf(deps: TraceDeps, userId: UserId): AsyncGenerator<Entry> {
  const { db } = deps;
  const account = await getAccount(db, userId);
  const sessions = await listOwnSessions(db, userId);
  yield {
    name: 'account.json',
    isCompressed: true,
    open: async () => Readable.from(writeJson(db, account, sessions)),
  };
  for (const own of sessions) {
    yield* fromStorage(deps, lapFileName(own), own.lapFile.storageKey);
    yield {
      name: tracesFileName(own),
      isCompressed: true,
      open: async () => {
        const traces = await exportTraces(deps, own);
        return traces && Readable.from(traces);
      },
    };
  }
  for (const file of account.refusedFiles)
    yield* fromStorage(deps, refusedFileName(file), refusedFileKey(file.id));
  const { avatarKey } = account.user ?? {};
  if (avatarKey) yield* fromStorage(deps, 'images/avatar.webp', imageStorageKey(avatarKey));
  for (const { car } of account.cars) {
    if (car.photoKey) yield* fromStorage(deps, `images/car-${car.id}.webp`, imageStorageKey(car.photoKey));
  }
}

/** Gives a stored file and, once a part of it could not be read, a text that says so. */
async function* fromStorage(
  { storage, log }: TraceDeps,
  name: string,
  storageKey: string,
): AsyncGenerator<Entry> {
  const damages: unknown[] = [];
  yield {
    name,
    isCompressed: !name.endsWith('.webp'),
    open: async () => {
      const content = await openContent(storage, storageKey);
      if (content === null) return null;
      // Nothing closes the content where the reading of it has not begun.
      return Readable.from(readToDamage(content, damages)).once('close', () => content.destroy());
    },
  };
  for (const err of damages) {
    log.warn({ err, storageKey }, 'A stored file is damaged');
    const text = `The server could not read all of ${name}: what it has stored is damaged. The file in this export ends where the damage begins.\n`;
    yield {
      name: cutToBytes(`${name}.damaged.txt`),
      isCompressed: true,
      open: async () => Readable.from([text]),
    };
  }
}

/** Gives the content up to where it is damaged, which it adds to `damages`. */
async function* readToDamage(content: Readable, damages: unknown[]): AsyncGenerator {
  try {
    yield* content;
  } catch (error) {
    if (!isDamagedError(error)) throw error;
    damages.push(error);
  }
}

/** Writes session by session: the laps of all sessions are never in memory at once. */
async function* writeJson(
  db: Database,
  {
    user,
    signIns,
    cars,
    proposedCars,
    doubts,
    notices,
    apiTokens,
    savedComparisons,
    raceEventEntries,
    refusedFiles,
  }: Account,
  sessions: readonly OwnSession[],
): AsyncGenerator<string> {
  const about = {
    exportedAt: new Date(),
    user,
    signIns,
    cars: cars.map(({ car, model }) => ({ ...car, model })),
    proposedCars,
    doubts,
    notices,
    apiTokens,
    savedComparisons,
    raceEventEntries,
    refusedFiles: refusedFiles.map((file) => ({ ...file, inThisExport: refusedFileName(file) })),
  };
  yield `${JSON.stringify(about, null, 2).slice(0, -2)},\n  "sessions": [`;
  for (const [index, own] of sessions.entries()) {
    const { userId: _userId, ...session } = own.session;
    const laps = await listLaps(db, session);
    const videos = await listSessionVideos(db, { trackId: session.trackId, sessionId: session.id });
    const { fileName, byteCount, format, uploadedAt } = own.lapFile;
    const lapFile = { fileName, byteCount, format, uploadedAt, inThisExport: lapFileName(own) };
    const entry = {
      ...session,
      trackName: own.trackName,
      lapFile,
      lapTraces: tracesFileName(own),
      laps,
      videos,
    };
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(entry)}`;
  }
  yield '\n  ]\n}\n';
}

/** Builds a unique file name that begins with the day and that every system can store. */
function lapFileName({ session, lapFile }: OwnSession): string {
  return `lap-files/${storableName(`${session.sessionDate.slice(0, 10)}-${session.id}-${lapFile.fileName}`)}`;
}

function refusedFileName({ id, fileName }: Account['refusedFiles'][number]): string {
  return `refused-files/${storableName(`${id}-${fileName}`)}`;
}

function storableName(name: string): string {
  return cutToBytes(name.replaceAll(/[^\p{L}\p{N} ._()+-]/gu, '_'));
}

function tracesFileName({ session }: OwnSession): string {
  return `lap-traces/${session.sessionDate.slice(0, 10)}-${session.id}.csv`;
}

// No file system allows longer names. The extension is the type of the file, so the cut comes before it.
const NAME_BYTES_MAX = 255;
const ENDING = /\.[A-Za-z0-9]{1,8}$/;

function cutToBytes(name: string): string {
  const [ending = ''] = ENDING.exec(name) ?? [];
  const characters = Array.from(name.slice(0, name.length - ending.length));
  while (Buffer.byteLength(characters.join('') + ending) > NAME_BYTES_MAX) characters.pop();
  return characters.join('') + ending;
}
