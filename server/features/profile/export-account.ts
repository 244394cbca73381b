import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { imageStorageKey } from '#server/model/images/image-key.ts';
import { openContent } from '#server/kernel/storage/compressed.ts';
import { listSessionVideos } from '#server/model/videos/video-store.ts';
import { refusedFileKey } from '#server/model/refused-files/refused-files.ts';
import type { TraceDeps } from '#server/model/laps/lap-traces.ts';
import { getAccount, listLaps, listOwnSessions, type OwnSession } from './account-export-store.ts';
import { exportTraces } from './export-traces.ts';

type Account = Awaited<ReturnType<typeof getAccount>>;

type Entry = { name: string; open: () => Promise<Readable | null>; isCompressed: boolean };

/**
 * Exports all data of a user, as a ZIP archive that is written while it is read: account.json, lap files, traces of laps,
 * refused files and images. One file at a time is open, so the size of an export does not affect memory.
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
    if (current === null) continue; // deleted since the list was read
    zip.addReadStream(current, name, { compress: isCompressed });
    await finished(current);
    if (output.destroyed) return;
  }
}

async function* entriesOf(deps: TraceDeps, userId: UserId): AsyncGenerator<Entry> {
  const { db, storage } = deps;
  const account = await getAccount(db, userId);
  const sessions = await listOwnSessions(db, userId);
  const fromStorage = (name: string, key: string, isCompressed: boolean): Entry => ({
    name,
    isCompressed,
    open: () => openContent(storage, key),
  });
  yield {
    name: 'account.json',
    isCompressed: true,
    open: async () => Readable.from(writeJson(db, account, sessions)),
  };
  for (const own of sessions) {
    yield fromStorage(lapFileName(own), own.lapFile.storageKey, true);
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
    yield fromStorage(refusedFileName(file), refusedFileKey(file.id), true);
  const { avatarKey } = account.user ?? {};
  if (avatarKey) yield fromStorage('images/avatar.webp', imageStorageKey(avatarKey), false);
  for (const { car } of account.cars) {
    if (car.photoKey) yield fromStorage(`images/car-${car.id}.webp`, imageStorageKey(car.photoKey), false);
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
