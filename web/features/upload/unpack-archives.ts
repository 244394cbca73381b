import { listArchivedLapFiles } from '#engine/formats/binary/archived-lap-files.ts';
import { damagedArchive, isZip, listZipEntries, ZipReader } from '#engine/formats/binary/zip-archive.ts';
import type { ZipEntry } from '#engine/formats/binary/zip-archive.ts';
import { isRaceChronoSession } from '#engine/formats/dialects/racechrono-rcz.ts';
import { LIMITS } from '#contract/limits.ts';
import { isArchive } from './lap-file-queue.ts';

/** Replaces archives by their lap files; those of one, a RaceChrono session or an unreadable one go to the server. */
export async function unpackArchives(files: readonly File[]): Promise<File[]> {
  const unpacked: File[] = [];
  for (const file of files) {
    unpacked.push(...(isArchive(file) ? await unpackArchive(file).catch(() => [file]) : [file]));
  }
  return unpacked;
}

async function unpackArchive(file: File): Promise<File[]> {
  if (file.size > LIMITS.lapFileBytesMax) return [file];
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!isZip(bytes)) return [file];
  const entries = listZipEntries(bytes);
  if (isRaceChronoSession(entries)) return [file];
  const lapFiles = listArchivedLapFiles(entries);
  if (lapFiles.length === 1) return [file];
  const archive = new ZipReader(bytes, null);
  const unpacked: File[] = [];
  for (const entry of [...lapFiles, ...listLapLists(entries, lapFiles)]) {
    const name = entry.name.slice(entry.name.lastIndexOf('/') + 1);
    unpacked.push(new File([await inflate(archive, entry)], name, { lastModified: file.lastModified }));
  }
  return unpacked;
}

/** Lists the lists of laps beside the logs of MoTeC among these lap files. */
function listLapLists(entries: readonly ZipEntry[], lapFiles: readonly ZipEntry[]): ZipEntry[] {
  const lists = new Set(
    lapFiles.filter(({ name }) => /\.ld$/i.test(name)).map(({ name }) => `${name.toLowerCase()}x`),
  );
  return entries.filter(({ name }) => lists.has(name.toLowerCase()));
}

/** Stops where the entry is longer than it says. */
async function inflate(archive: ZipReader, entry: ZipEntry): Promise<Blob> {
  const packed = new Blob([archive.readPacked(entry).slice()]);
  if (!entry.isDeflated) return packed;
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    sizeBytes += next.value.length;
    if (sizeBytes > entry.sizeBytes) throw damagedArchive();
    pieces.push(next.value);
  }
  if (sizeBytes !== entry.sizeBytes) throw damagedArchive();
  return new Blob(pieces);
}
