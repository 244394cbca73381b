import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { cleanName } from '#contract/names.ts';
import { listZipEntries, ZipReader, type ZipEntry } from '#engine/formats/binary/zip-archive.ts';
import { decodeText, toByteText } from '#engine/formats/text/text-encoding.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { AppError } from '#server/kernel/errors.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import type { PublishedSet } from '#server/model/track-sets/published-sets.ts';
import { parseJson } from '#server/kernel/parse-json.ts';
import { readTrackDocument } from '../import/read-track-document.ts';
import type { TrackNames } from '../import/geojson-tracks.ts';
import { completeTrack, type ReadSet } from './read-track-set.ts';

/** Describes what a set needs for its files to be read. It goes to another thread, where a RegExp arrives, too. */
export type PublishedForm = Pick<PublishedSet, 'files' | 'hasVenueFiles' | 'layoutsMin'>;

export type ReadPublishedSet = Omit<ReadSet, 'tracks'> & {
  tracks: (ReadSet['tracks'][number] & { attribution: string | null })[];
};

// The archives hold pictures and histories of sources next to their data.
const ENTRIES_MAX = 100_000;

/**
 * Reads the archive of a published set whole, and checks that it is that set.
 * @throws AppError for an archive that is damaged, or holds other files
 */
export async function readPublishedSet(
  path: string,
  { files, hasVenueFiles, layoutsMin }: PublishedForm,
  onFile: (done: number, total: number) => void = () => {},
): Promise<ReadPublishedSet> {
  const bytes = await readFile(path);
  try {
    const reader = new ZipReader(bytes, inflateLapFile);
    const entries = listZipEntries(bytes, ENTRIES_MAX).flatMap((entry) => toSetFile(entry, files) ?? []);
    const readText = (entry: ZipEntry) => decodeText(toByteText(reader.read(entry)));
    const layouts = hasVenueFiles ? listLayouts(entries, readText) : entries.map((file) => ({ ...file }));
    const read = readLayouts(layouts, readText, onFile);
    const { length } = read.tracks;
    if (length < layoutsMin)
      throw notThatSet(`It holds ${length} layouts where at least ${layoutsMin} belong`);
    return read;
  } catch (error) {
    if (!(error instanceof UnreadableLapFileError)) throw error;
    throw notThatSet('It is damaged', error);
  }
}

function notThatSet(fact: string, cause?: unknown): AppError {
  const sentence = `What was fetched is not this set. ${fact}, so nothing was added. Try again; if it stays so, update Pitboard.`;
  return new AppError('invalid_input', sentence, { cause });
}

/** Holds an entry with its path below the folder that holds the whole archive. */
type SetFile = { path: string; entry: ZipEntry; names?: TrackNames };

function toSetFile(entry: ZipEntry, files: RegExp): SetFile | null {
  const path = entry.name.slice(entry.name.indexOf('/') + 1);
  return files.test(path) ? { path, entry } : null;
}

const venueSchema = z.object({
  name: z.string(),
  locality: z.string().optional(),
  country: z.object({ name: z.string() }),
  layouts: z.array(z.object({ name: z.string(), file: z.string().nullable() })),
});

// The Open Racetrack Database calls outlines so that no layout of a venue is known to be.
const UNNAMED_LAYOUT = 'Connected course candidate';

/** Lists the layouts that the venues of a set name, with their names. */
function listLayouts(entries: readonly SetFile[], readText: (entry: ZipEntry) => string): SetFile[] {
  const byPath = new Map(entries.map((file) => [file.path, file]));
  return entries
    .filter(({ path }) => path.endsWith('/track.json'))
    .flatMap(({ path, entry }) => {
      const venue = venueSchema.safeParse(parseJson(readText(entry)));
      if (!venue.success) return [];
      const { name, locality, country, layouts } = venue.data;
      const folder = path.slice(0, -'track.json'.length);
      return layouts.flatMap((layout): SetFile[] => {
        const file = layout.file === null ? undefined : byPath.get(folder + layout.file);
        const isOnly = layout.name === name || layout.name === UNNAMED_LAYOUT || layouts.length === 1;
        const configuration = isOnly ? null : layout.name;
        const names = { name, configuration, location: locality, country: country.name };
        return file ? [{ ...file, names }] : [];
      });
    });
}

function readLayouts(
  layouts: readonly SetFile[],
  readText: (entry: ZipEntry) => string,
  onFile: (done: number, total: number) => void,
): ReadPublishedSet {
  const read: ReadPublishedSet = { tracks: [], unreadable: [] };
  for (const [index, { path, entry, names }] of layouts.entries()) {
    const text = readText(entry);
    try {
      const attribution = readAttribution(text);
      for (const track of readTrackDocument(text, { fileName: path, ...(names && { names }) }))
        read.tracks.push({ file: path, track: completeTrack(track), attribution });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      read.unreadable.push({ file: path, reason: error.message });
    }
    onFile(index + 1, layouts.length);
  }
  return read;
}

const metadataSchema = z.object({
  metadata: z.object({
    attribution: z.string().min(1).max(500).optional(),
    geometryKind: z.string().optional(),
  }),
});

/**
 * Reads whom a layout names as its source, for sets that mix several.
 * @throws AppError for a network of branches, which is no lap
 */
function readAttribution(text: string): string | null {
  if (!text.includes('"metadata"')) return null;
  const { attribution, geometryKind } = metadataSchema.safeParse(parseJson(text)).data?.metadata ?? {};
  if (geometryKind === 'network')
    throw new AppError('invalid_input', 'It is a network of branches, not a lap.');
  return attribution === undefined ? null : cleanName(attribution);
}
