import { randomFillSync } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { isDiskFullError, StartError } from '#server/kernel/errors.ts';

// A full disk must not take the boards away. PostgreSQL needs some room even to recover and to be read, so a file of
// `RESERVE_BYTES` keeps it: it is removed when the disk is nearly full, and written again when there is room for it.
// As long as it is missing, changes are refused.

const RESERVE_FILE = 'reserve';
const RESERVE_BYTES = 64 * 1024 * 1024;
const FREE_BYTES_MIN = 64 * 1024 * 1024;
const CHECK_INTERVAL_MS = 1_000;
// Less than PostgreSQL's next log segment needs.
const START_BYTES_MIN = 32 * 1024 * 1024;
// What PostgreSQL's programs write.
const NO_SPACE = /No space left on device/;

export type DiskSpace = {
  /** Whether a change that brings so many bytes can be stored. */
  hasRoomFor: (byteCount: number) => Promise<boolean>;
  /** Says in `log` when changes are refused, and when they are taken again. */
  report: (log: FastifyBaseLogger) => void;
  stop: () => Promise<void>;
};

/** Watches the disk of the data folder, and keeps a reserve on it. */
export async function watchDiskSpace(folder: string): Promise<DiskSpace> {
  const reserve = join(folder, RESERVE_FILE);
  let hasReserve = (await measureSize(reserve)) >= RESERVE_BYTES;
  let log: FastifyBaseLogger | null = null;
  let checking: Promise<void> = Promise.resolve();

  async function check(): Promise<void> {
    const freeBytes = await findFreeBytes(folder);
    if (hasReserve && freeBytes < FREE_BYTES_MIN) {
      hasReserve = false;
      await rm(reserve, { force: true });
      log?.error({ folder, freeBytes }, 'The disk is nearly full: changes are refused until there is room');
    } else if (!hasReserve && freeBytes >= FREE_BYTES_MIN + RESERVE_BYTES) {
      hasReserve = await writeReserve(reserve);
      if (hasReserve) log?.info({ folder }, 'There is room on the disk: changes are taken');
    }
  }
  let isMeasured = true;
  async function checkAndReport(): Promise<void> {
    try {
      await check();
      isMeasured = true;
    } catch (error) {
      // Once until it works again: the next check follows in a second.
      if (isMeasured) log?.error({ err: error, folder }, 'The free space of the disk cannot be measured');
      isMeasured = false;
    }
  }
  const checkInTurn = (): Promise<void> => (checking = checking.then(checkAndReport));

  await checkInTurn();
  const timer = setInterval(() => void checkInTurn(), CHECK_INTERVAL_MS).unref();
  return {
    report: (given) => (log = given),
    hasRoomFor: async (byteCount) => {
      await checkInTurn();
      return hasReserve && (await findFreeBytes(folder)) - byteCount >= FREE_BYTES_MIN;
    },
    stop: async () => {
      clearInterval(timer);
      await checking;
    },
  };
}

/** The same error, or where the disk of `folder` is full, one that says so instead of what came of it. */
export async function explainFullDisk(failure: unknown, folder: string): Promise<unknown> {
  const freeBytes = await findFreeBytes(folder).catch(() => Number.POSITIVE_INFINITY);
  const isFull = freeBytes < START_BYTES_MIN || isDiskFullError(failure) || NO_SPACE.test(String(failure));
  if (!isFull) return failure;
  const freeMegabytes = Math.floor(freeBytes / 1024 / 1024);
  return new StartError(
    `The disk of ${folder} is full: ${freeMegabytes} MB are free. Make room on it, at least ${Math.round((FREE_BYTES_MIN + RESERVE_BYTES) / 1024 / 1024)} MB, and start Pitboard again.`,
    { cause: failure },
  );
}

/** Whether PostgreSQL has too little room in `folder` to start. */
export async function isDiskFull(folder: string): Promise<boolean> {
  return (await findFreeBytes(folder)) < START_BYTES_MIN;
}

/** What is free on the disk of `path`, or of the folder that it will be made in. */
export async function findFreeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if (dirname(path) === path) throw error;
    return await findFreeBytes(dirname(path));
  }
}

async function measureSize(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Random bytes: some file systems keep no room for zeros. False where the disk has become full meanwhile. */
async function writeReserve(path: string): Promise<boolean> {
  const chunk = randomFillSync(Buffer.alloc(1024 * 1024));
  try {
    const handle = await open(path, 'w', 0o600);
    try {
      for (let written = 0; written < RESERVE_BYTES; written += chunk.length) await handle.write(chunk);
    } finally {
      await handle.close();
    }
    return true;
  } catch {
    await rm(path, { force: true });
    return false;
  }
}
