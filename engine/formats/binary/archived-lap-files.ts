import { UnreadableLapFileError } from '../../lap-file.ts';
import { isLapFileName } from '../lap-file-names.ts';
import type { ZipEntry } from './zip-archive.ts';

/** Lists the lap files of an archive by their names, or its only file. Throws UnreadableLapFileError without one. */
export function listArchivedLapFiles(entries: readonly ZipEntry[]): ZipEntry[] {
  const has = (part: string) => entries.some(({ name }) => name.includes(part));
  if (has('xl/'))
    throw new UnreadableLapFileError('This is an Excel workbook; save the sheet as CSV and upload that.');
  // A KMZ archive holds its document beside pictures and, at times, overlays.
  const document = entries.find(({ name }) => name === 'doc.kml');
  if (document !== undefined) return [document];
  const visible = entries.filter(({ name }) => !HIDDEN.test(name) && !ABOUT_THE_ARCHIVE.test(name));
  const lapFiles = visible.length === 1 ? visible : visible.filter(({ name }) => isLapFileName(name));
  if (lapFiles.length === 0) throw new UnreadableLapFileError('This ZIP archive holds no lap file.');
  return lapFiles;
}

/** Finds the list of laps (`.ldx`) that belongs to a log of MoTeC: the one of the same name, or the only one. */
export function findLapList(entries: readonly ZipEntry[], log: ZipEntry): ZipEntry | undefined {
  const lists = entries.filter(({ name }) => !HIDDEN.test(name) && /\.ldx$/i.test(name));
  const own = `${log.name.replace(/\.ld$/i, '')}.ldx`.toLowerCase();
  return lists.find(({ name }) => name.toLowerCase() === own) ?? (lists.length === 1 ? lists[0] : undefined);
}

const HIDDEN = /(?:^|\/)(?:\.|__MACOSX\/)/;
const ABOUT_THE_ARCHIVE = /(?:^|\/)(?:read ?me|licen[cs]e)[^/]*$/i;
