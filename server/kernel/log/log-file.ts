import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

export type LogStream = { write: (line: string) => void };

export type LogFileLimits = { bytesMax: number; ageMaxMs: number };

const LIMITS: LogFileLimits = { bytesMax: 20_000_000, ageMaxMs: 7 * 24 * 60 * 60 * 1000 };
// The old files and the current one take at most five times `bytesMax`.
const OLD_FILES_MAX = 4;

/**
 * A log in a file that is set aside as `{path}.1` when it is too large or too old, and `.1` as `.2` and so on. Lines
 * that cannot be written, as on a full disk, are counted and dropped: a log must never end the server.
 */
export function openLogFile(path: string, limits: LogFileLimits = LIMITS): LogStream {
  let file = openAppending(path);
  let lostLines = 0;

  function rotate(): void {
    closeSync(file.descriptor);
    for (let age = OLD_FILES_MAX; age > 0; age--) {
      const from = age === 1 ? path : `${path}.${age - 1}`;
      rename(from, `${path}.${age}`);
    }
    file = openAppending(path);
  }

  return {
    write: (line) => {
      try {
        if (isFull(file, limits)) rotate();
        append(file, withLost(line, lostLines));
        lostLines = 0;
      } catch {
        lostLines += 1;
      }
    },
  };
}

/** A log on standard output or standard error. Once its reader has closed it, lines are dropped. */
export function openLogDescriptor(descriptor: number): LogStream {
  const file = { descriptor, byteCount: 0, startMs: 0 };
  return {
    write: (line) => {
      try {
        append(file, line);
      } catch {
        // The terminal or the collector is gone, or its pipe is full.
      }
    },
  };
}

type OpenFile = { descriptor: number; byteCount: number; startMs: number };

function openAppending(path: string): OpenFile {
  const descriptor = openSync(path, 'a', 0o600);
  const { size, birthtimeMs } = fstatSync(descriptor);
  // Some file systems do not know when a file was made.
  return { descriptor, byteCount: size, startMs: birthtimeMs > 0 ? birthtimeMs : Date.now() };
}

function isFull({ byteCount, startMs }: OpenFile, { bytesMax, ageMaxMs }: LogFileLimits): boolean {
  return byteCount > 0 && (byteCount >= bytesMax || Date.now() - startMs >= ageMaxMs);
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function append(file: OpenFile, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    const count = writeSync(file.descriptor, bytes, written);
    written += count;
    file.byteCount += count;
  }
}

/** The line, after one that says how many are missing. The line end before it closes one that was cut off. */
function withLost(line: string, lostLines: number): string {
  if (lostLines === 0) return line;
  const note = { level: 40, time: Date.now(), lostLines, msg: 'Log lines could not be written' };
  return `\n${JSON.stringify(note)}\n${line}`;
}
