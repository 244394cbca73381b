import { expect, test } from 'vitest';
import { readRecording } from '#engine/recording/read-recording.ts';
import { RecordingFile, StorageError, type FileHandle } from './recording-file.ts';

const HEADER = { stream: 'ubx', model: 'RaceBox Mini', startedAtMs: 1_000_000 } as const;

/** A file in memory that takes so many bytes at most; a write beyond fails as the browser says it, or is cut short. */
class MemoryFile implements FileHandle {
  bytes = new Uint8Array(0);
  isOpen = true;
  flushes = 0;
  readonly #limit: { bytes: number; isCutShort: boolean };

  constructor(bytes = Number.POSITIVE_INFINITY, isCutShort = false) {
    this.#limit = { bytes, isCutShort };
  }

  read(into: Uint8Array<ArrayBuffer>, { at }: { at: number }): number {
    into.set(this.bytes.subarray(at, at + into.length));
    return into.length;
  }

  write(written: Uint8Array<ArrayBuffer>, { at }: { at: number }): number {
    const room = Math.max(0, this.#limit.bytes - at);
    if (written.length > room && !this.#limit.isCutShort) throw new DOMException('', 'QuotaExceededError');
    const part = written.subarray(0, Math.min(room, written.length));
    const next = new Uint8Array(Math.max(this.bytes.length, at + part.length));
    next.set(this.bytes);
    next.set(part, at);
    this.bytes = next;
    return part.length;
  }

  flush(): void {
    this.flushes += 1;
  }

  truncate(sizeBytes: number): void {
    this.bytes = this.bytes.slice(0, sizeBytes);
  }

  getSize(): number {
    return this.bytes.length;
  }

  close(): void {
    this.isOpen = false;
  }
}

function readChunks(bytes: Uint8Array) {
  const chunks: number[][] = [];
  const holes: number[] = [];
  const read = readRecording(bytes, {
    chunk: ({ bytes: chunk }) => chunks.push([...chunk]),
    hole: (atMs) => holes.push(atMs),
  });
  return { read, chunks, holes };
}

function record(handle: MemoryFile, count: number): RecordingFile {
  const file = RecordingFile.begin(handle, HEADER);
  for (let index = 0; index < count; index += 1) {
    file.add({ bytes: Uint8Array.of(index, index, index), arrivalMs: HEADER.startedAtMs + 40 * index });
  }
  return file;
}

test('a recording that is ended holds every chunk, and is closed', () => {
  const handle = new MemoryFile();
  record(handle, 3).end(HEADER.startedAtMs + 200);
  const { read, chunks } = readChunks(handle.bytes);
  expect(read).toMatchObject({ isIntact: true, isEnded: true, header: HEADER });
  expect(chunks).toEqual([
    [0, 0, 0],
    [1, 1, 1],
    [2, 2, 2],
  ]);
  expect(handle.isOpen).toBe(false);
});

test('every chunk is in the file as soon as it was added: a killed tab loses none', () => {
  const handle = new MemoryFile();
  const file = record(handle, 5);
  expect(readChunks(handle.bytes).chunks).toHaveLength(5);
  expect(file.sizeBytes).toBe(handle.bytes.length);
});

test('a recording that was cut off within a chunk goes on after a marked hole', () => {
  const before = new MemoryFile();
  record(before, 4);
  const handle = new MemoryFile();
  handle.bytes = before.bytes.slice(0, -2);
  const file = RecordingFile.resume(handle, HEADER.startedAtMs + 60_000);
  file.add({ bytes: Uint8Array.of(9), arrivalMs: HEADER.startedAtMs + 60_040 });
  file.end(HEADER.startedAtMs + 60_080);
  const { read, chunks, holes } = readChunks(handle.bytes);
  expect(read).toMatchObject({ isIntact: true, isEnded: true });
  expect(chunks).toEqual([[0, 0, 0], [1, 1, 1], [2, 2, 2], [9]]);
  expect(holes).toEqual([HEADER.startedAtMs + 60_000]);
});

test('a recording whose beginning is damaged is not written on', () => {
  const handle = new MemoryFile();
  handle.bytes = Uint8Array.of(1, 2, 3);
  expect(() => RecordingFile.resume(handle, 0)).toThrow(StorageError);
  expect([...handle.bytes]).toEqual([1, 2, 3]);
});

test.each([
  { name: 'refuses a write', isCutShort: false },
  { name: 'cuts a write short', isCutShort: true },
])('a disk that is full and $name keeps all that was written', ({ isCutShort }) => {
  const whole = new MemoryFile();
  record(whole, 2);
  const handle = new MemoryFile(whole.bytes.length + 5, isCutShort);
  const file = record(handle, 2);
  const add = () => file.add({ bytes: Uint8Array.of(7), arrivalMs: HEADER.startedAtMs });
  expect(add).toThrow(expect.objectContaining({ problem: 'full' }));
  expect(readChunks(handle.bytes)).toMatchObject({ read: { isIntact: true }, chunks: [{}, {}] });
});
