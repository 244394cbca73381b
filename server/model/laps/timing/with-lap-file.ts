import { readFile } from 'node:fs/promises';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { openLapFile, type OpenedLapFile } from '#engine/time-lap-file.ts';
import { inflateLapFile } from './inflate-lap-file.ts';
import type { LapTaskResult } from './lap-tasks.ts';

export async function withLapFile<Value>(
  path: string,
  use: (file: OpenedLapFile, bytes: Uint8Array) => Value,
): Promise<LapTaskResult<Value>> {
  const bytes = await readFile(path);
  return readable(() => use(openLapFile(bytes, inflateLapFile), bytes));
}

/** Returns the result of a task, or why its lap file cannot be read. */
export function readable<Value>(read: () => Value): LapTaskResult<Value> {
  try {
    return { isReadable: true, value: read() };
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return { isReadable: false, sentence: error.message };
    throw error;
  }
}
