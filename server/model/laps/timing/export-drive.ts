import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { lineOfLap } from '#engine/comparison/build-reference-line.ts';
import { lapAlongLine } from '#engine/comparison/lap-along-line.ts';
import { decodeLapTrace } from '#engine/comparison/lap-trace.ts';
import { inUtc, toExportedDrive, type ExportedDrive } from '#engine/export/exported-drive.ts';
import { EXPORT_FORMATS } from '#engine/export/formats.ts';
import { at } from '#engine/fix-columns.ts';
import { readLapFile } from '#engine/formats/recognise.ts';
import { openFixes, timeLaps } from '#engine/time-lap-file.ts';
import { inflateLapFile } from './inflate-lap-file.ts';
import type { ExportFileTask, ExportLapTask, LapTaskResult } from './lap-tasks.ts';
import { readable } from './with-lap-file.ts';

/** Writes the lap file at `path` in another format, piece by piece, with its laps on one track. */
export async function exportLapFile(task: ExportFileTask): Promise<LapTaskResult<null>> {
  const bytes = await readFile(task.path);
  return readable(() => {
    const { track, title, format, startMs, outputPath } = task;
    const lapFile = readLapFile(bytes, inflateLapFile);
    const opened = openFixes(lapFile);
    const { laps } = timeLaps(opened, track);
    const drive = toExportedDrive(lapFile, { title, laps, startFinishLine: track.startFinishLine });
    const dated = inUtc(drive, at(opened.trace.fixes.timesMs, 0), startMs);
    writePieces(outputPath, EXPORT_FORMATS[format].write(dated));
    return null;
  });
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
}

/** Writes one lap between its two crossings, and nothing before or after; null where its trace has no positions. */
export function exportLap({ trace, lapNumber, title, format, startMs }: ExportLapTask): Uint8Array | null {
  const traced = decodeLapTrace(trace);
  const line = traced && lineOfLap(traced);
  const columns = traced && line && lapAlongLine(line, traced);
  if (!columns) return null;
  const { timesMs, lats, lons, speedsMetersPerSecond, channels } = columns;
  const drive: ExportedDrive = {
    title,
    clock: 'utc',
    fixes: {
      length: timesMs.length,
      timesMs: timesMs.map((timeMs) => startMs + timeMs),
      lats,
      lons,
      speedsMetersPerSecond,
      channels,
    },
    partStarts: [0],
    receiverRateHz: null,
    laps: [{ number: lapNumber, startTimeMs: startMs, lapTimeMs: traced.lap.lapTimeMs }],
    startFinishLine: null,
  };
  return Buffer.from([...EXPORT_FORMATS[format].write(drive)].join(''));
}
