import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listZipEntries, isZip, ZipReader } from '#engine/formats/binary/zip-archive.ts';
import { decodeText, toByteText } from '#engine/formats/text/text-encoding.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { AppError } from '#server/kernel/errors.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { countryAt } from '#server/model/tracks/country.ts';
import { readTrackDocument, readVenueNames, TRACK_FILE_NAMES } from '../import/read-track-document.ts';
import type { TrackNames } from '../import/geojson-tracks.ts';
import type { SetTrack } from './sort-out-tracks.ts';

type SetFile = { name: string; text: string };

export type ReadSet = { tracks: SetTrack[]; unreadable: { file: string; reason: string }[] };

// The library holds fewer tracks than this.
const FILES_MAX = 30_000;
const VENUE_FILE = /(?:^|[/\\])venue\.json$/i;

/**
 * Reads a set of tracks: a folder with its subfolders, a ZIP archive of such a folder, or a single file. Calls `onFile` after
 * each file, and derives missing countries from the position.
 * @throws AppError where the path does not exist, or contains no track file
 */
export async function readTrackSet(
  path: string,
  onFile: (done: number, total: number) => void = () => {},
): Promise<ReadSet> {
  const { names, readText } = await openSet(path);
  if (names.length === 0) throw new AppError('invalid_input', 'There is no track file in it.');
  if (names.length > FILES_MAX) throw new AppError('too_large', `A set may have at most ${FILES_MAX} files.`);
  const read: ReadSet = { tracks: [], unreadable: [] };
  const venues = new Map<string, TrackNames | null>();
  for (const name of names.filter((name) => VENUE_FILE.test(name)))
    venues.set(getFolder(name), readVenueNames(await readText(name)));
  const layouts = names.filter((name) => !venues.get(getFolder(name)) || !VENUE_FILE.test(name));
  for (const [index, name] of layouts.entries()) {
    const venue = venues.get(getFolder(name)) ?? venues.get(getFolder(getFolder(name)));
    const layout = name.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
    readOne(read, { name, text: await readText(name) }, venue ? { configuration: layout, ...venue } : {});
    onFile(index + 1, layouts.length);
  }
  return read;
}

function getFolder(name: string): string {
  return name.replace(/[/\\]?[^/\\]*$/, '');
}

function readOne({ tracks, unreadable }: ReadSet, { name, text }: SetFile, names: TrackNames): void {
  try {
    for (const track of readTrackDocument(text, { names, fileName: name }))
      tracks.push({ file: name, track: completeTrack(track) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    unreadable.push({ file: name, reason: error.message });
  }
}

type ParsedTrack = SetTrack['track'];

/** Completes a track of a set: sets give only a position, so a missing location or country is no problem. */
export function completeTrack(track: ParsedTrack): ParsedTrack {
  const { location: _location, country: _country, ...problems } = track.problems;
  const { centerLat, centerLon } = track;
  const country = centerLat === null || centerLon === null ? null : countryAt(centerLat, centerLon);
  return { ...track, country: track.country ?? country, problems, status: 'official' };
}

type OpenedSet = { names: string[]; readText: (name: string) => Promise<string> };

async function openSet(path: string): Promise<OpenedSet> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new AppError('not_found', `There is no folder or file ${path}.`, { cause });
  });
  if (found.isDirectory()) {
    const names = await readdir(path, { recursive: true });
    return {
      names: listTrackFiles(names),
      readText: async (name) => toText(await readFile(join(path, name))),
    };
  }
  const bytes = await readFile(path);
  if (!isZip(bytes)) return { names: [path], readText: async () => toText(bytes) };
  try {
    return openArchive(bytes);
  } catch (error) {
    throw toAppError(error);
  }
}

function openArchive(bytes: Uint8Array): OpenedSet {
  const entries = new Map(listZipEntries(bytes, FILES_MAX).map((entry) => [entry.name, entry]));
  const reader = new ZipReader(bytes, inflateLapFile);
  return {
    names: listTrackFiles([...entries.keys()]),
    readText: async (name) => {
      const entry = entries.get(name);
      if (!entry) throw new Error('An entry of an archive is gone.');
      try {
        return toText(reader.read(entry));
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}

function listTrackFiles(names: readonly string[]): string[] {
  return names
    .filter((name) => TRACK_FILE_NAMES.test(name) && !/(?:^|[/\\])(?:\.|__MACOSX[/\\])/.test(name))
    .toSorted();
}

function toText(bytes: Uint8Array): string {
  return decodeText(toByteText(bytes));
}

function toAppError(error: unknown): unknown {
  return error instanceof UnreadableLapFileError
    ? new AppError('invalid_input', error.message, { cause: error })
    : error;
}
