import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { trackSchema } from '#contract/tracks/schemas.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine, type Track } from '#engine/track.ts';
import { isVideoFile, readVideoPositions } from './read-video.ts';

/** `npm run analyze`, `npm run compare` and `npm run convert` share this code for command lines and files. */

/** Reports in one sentence for the user why a command fails. */
export class CommandError extends Error {}

/** Prints the usage where `readWish` gives null, else the answer, which may come in pieces, or an error in one sentence; returns the exit code. */
export function runLapFileCommand<Wish>(
  usage: string,
  readWish: () => Wish | null,
  answer: (wish: Wish) => string | Iterable<string>,
): number {
  try {
    const wish = readWish();
    const printed = wish === null ? usage : answer(wish);
    if (typeof printed === 'string') console.log(printed);
    else writePieces(printed);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof UnreadableLapFileError)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** Writes to standard output, to pipes and files at once. A program that reads no further, such as `head`, is no error. */
function writePieces(pieces: Iterable<string>): void {
  let isOpen = true;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isOpen = false;
  });
  for (const piece of pieces) {
    if (!isOpen) return;
    process.stdout.write(piece);
  }
}

/** Reads a command line with the options that all commands have, and `others`. Throws a `CommandError` for an option that does not exist. */
export function parseCommandLine<Others extends Record<string, { type: 'string' | 'boolean' }>>(
  commandLine: readonly string[],
  others: Others,
) {
  try {
    return parseArgs({
      args: joinLineOption(commandLine),
      allowPositionals: true,
      options: {
        track: { type: 'string' },
        line: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        ...others,
      },
    });
  } catch (error) {
    // Node adds advice that does not fit a path.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw new CommandError(`${sentence}.`, { cause: error });
  }
}

/** Joins `--line LINE`: a line in the southern hemisphere begins with a minus, as an option does. */
function joinLineOption(commandLine: readonly string[]): string[] {
  return commandLine.flatMap((argument, index) => {
    if (argument === '--line' && index + 1 < commandLine.length) return [`--line=${commandLine[index + 1]}`];
    return commandLine[index - 1] === '--line' ? [] : [argument];
  });
}

/** Finds the track that `--track` or `--line` names; null without both. */
export function chosenTrack(
  { trackId, line }: { trackId: string | undefined; line: string | undefined },
  tracks: Track[],
): Track | null {
  if (trackId !== undefined && line !== undefined)
    throw new CommandError('Give either --track or --line, not both.');
  if (line !== undefined) return parseLine(line);
  if (trackId === undefined) return null;
  const track = tracks.find(({ id }) => id === trackId);
  if (track === undefined) throw new CommandError(`There is no track '${trackId}' in data/tracks.json.`);
  return track;
}

function parseLine(text: string): Track {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latA = Number.NaN, lonA = Number.NaN, latB = Number.NaN, lonB = Number.NaN] = numbers;
  if (numbers.length !== 4 || !isPlace(latA, lonA) || !isPlace(latB, lonB)) {
    throw new CommandError(
      `--line takes the two ends of a line as "lat,lon,lat,lon" in degrees, not "${text}".`,
    );
  }
  if (latA === latB && lonA === lonB) throw new CommandError('The two ends of --line are the same point.');
  return trackFromLine(undirectedLine({ lat: latA, lon: lonA }, { lat: latB, lon: lonB }));
}

function isPlace(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

const engineTracksSchema = z.array(
  trackSchema.pick({
    id: true,
    name: true,
    configuration: true,
    lengthMeters: true,
    centerLat: true,
    centerLon: true,
    radiusMeters: true,
    startFinishLine: true,
    finishLine: true,
    sectors: true,
    outline: true,
  }),
);

export function readTracks(): Track[] {
  return engineTracksSchema.parse(
    JSON.parse(readFileSync(new URL('../data/tracks.json', import.meta.url), 'utf8')),
  );
}

export function readBytes(path: string): Uint8Array {
  // npm starts scripts in the project's folder; the path is relative to the user's folder.
  const file = openFile(path, resolve(process.env['INIT_CWD'] ?? '.', path));
  try {
    const status = fstatSync(file);
    if (status.isDirectory()) throw new CommandError(`${path} is a folder, not a lap file.`);
    // Devices, pipes and the like may have no end, or never begin.
    if (!status.isFile()) throw new CommandError(`${path} is no regular file, so it cannot be a lap file.`);
    if (isVideoFile(file)) return readVideoPositions(file, status.size, basename(path));
    if (status.size > LIMITS.lapFileBytesMax) {
      throw new CommandError(
        `${path} is larger than ${LIMITS.lapFileBytesMax / 2 ** 20} MB, the most that is read.`,
      );
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Opens without blocking: opening a pipe without a writer would otherwise block for ever. */
function openFile(path: string, absolutePath: string): number {
  try {
    return openSync(absolutePath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new CommandError(`There is no file ${path}.`, { cause: error });
    throw new CommandError(`${path} cannot be read (${String(code)}).`, { cause: error });
  }
}
