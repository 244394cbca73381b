import { readRecording } from '#engine/recording/read-recording.ts';
import type { RecordingHeader } from '#engine/recording/recording-format.ts';
import { RecordingWriter } from '#engine/recording/write-recording.ts';
import type { StorageProblem, StoredChunk } from './recording-calls.ts';

/** The part of a sync access handle that a recording needs. */
export type FileHandle = {
  read: (bytes: Uint8Array<ArrayBuffer>, options: { at: number }) => number;
  write: (bytes: Uint8Array<ArrayBuffer>, options: { at: number }) => number;
  flush: () => void;
  truncate: (sizeBytes: number) => void;
  getSize: () => number;
  close: () => void;
};

/** Says why a recording cannot be written. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly problem: StorageProblem;

  constructor(problem: StorageProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Writes a recording into a file. What a call has written stays, whatever happens to the page afterwards. */
export class RecordingFile {
  readonly #handle: FileHandle;
  readonly #writer: RecordingWriter;
  #sizeBytes: number;

  private constructor(handle: FileHandle, writer: RecordingWriter, sizeBytes: number) {
    this.#handle = handle;
    this.#writer = writer;
    this.#sizeBytes = sizeBytes;
  }

  static begin(handle: FileHandle, header: RecordingHeader): RecordingFile {
    const { writer, bytes } = RecordingWriter.start(header);
    handle.truncate(0);
    const file = new RecordingFile(handle, writer, 0);
    file.#append(bytes);
    file.seal();
    return file;
  }

  /** Goes on with a file that was cut off: a torn end is removed, and the time without a recording marked. */
  static resume(handle: FileHandle, nowMs: number): RecordingFile {
    const bytes = new Uint8Array(handle.getSize());
    handle.read(bytes, { at: 0 });
    const read = readRecording(bytes);
    if (read === null) throw new StorageError('other');
    handle.truncate(read.state.lengthBytes);
    const file = new RecordingFile(handle, RecordingWriter.resume(read.state), read.state.lengthBytes);
    file.markHole(nowMs);
    file.seal();
    return file;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(chunk: StoredChunk): void {
    this.#append(this.#writer.chunk(chunk));
  }

  markHole(atMs: number): void {
    this.#append(this.#writer.hole(atMs));
  }

  /** Lets the disk have everything, for an empty battery. */
  seal(): void {
    this.#handle.flush();
  }

  end(atMs: number): void {
    this.#append(this.#writer.end(atMs));
    this.close();
  }

  close(): void {
    this.#handle.flush();
    this.#handle.close();
  }

  /** Appends a block, whole or not at all. */
  #append(bytes: Uint8Array<ArrayBuffer>): void {
    let written = 0;
    try {
      written = this.#handle.write(bytes, { at: this.#sizeBytes });
    } catch (error) {
      throw new StorageError(isFull(error) ? 'full' : 'other');
    } finally {
      if (written < bytes.length) this.#handle.truncate(this.#sizeBytes);
    }
    if (written < bytes.length) throw new StorageError('full');
    this.#sizeBytes += written;
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError';
}
