import { readFile } from 'node:fs/promises';
import type { RefusedFileReport } from '#contract/upload/refused-files.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import { openLapFile } from '#engine/time-lap-file.ts';
import { inflateLapFile } from './inflate-lap-file.ts';
import { readable } from './with-lap-file.ts';

/** Says what the engine finds in the file at `path`, or why it refuses it. */
export async function reportFile({ path }: { path: string }): Promise<RefusedFileReport> {
  const bytes = await readFile(path);
  const opened = readable(() => openLapFile(bytes, inflateLapFile));
  return opened.isReadable
    ? {
        sentence: null,
        format: opened.value.format,
        positionCount: opened.value.fixCount,
        dropped: opened.value.dropped,
        engineVersion: ENGINE_VERSION,
      }
    : buildRefusal(opened.sentence);
}

/** Returns the report of a file that is not read. */
export function buildRefusal(sentence: string): RefusedFileReport {
  return { sentence, format: null, positionCount: 0, dropped: {}, engineVersion: ENGINE_VERSION };
}
