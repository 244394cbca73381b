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
  try {
    return { isReadable: true, value: use(openLapFile(bytes, inflateLapFile), bytes) };
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return { isReadable: false, sentence: error.message };
    throw error;
  }
}
