import { basename } from 'node:path';
import { toExportedDrive } from '#engine/export/exported-drive.ts';
import { EXPORT_FORMATS, isExportFormat, type ExportFormat } from '#engine/export/formats.ts';
import { readLapFile } from '#engine/formats/recognise.ts';
import { buildTrackIndex } from '#engine/matching/match-tracks.ts';
import { openFixes, suggestTracks, timeLaps, timeOnOwnLine } from '#engine/time-lap-file.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import {
  chosenTrack,
  CommandError,
  parseCommandLine,
  readBytes,
  readTracks,
  runLapFileCommand,
} from './lap-file-command.ts';

const FORMAT_NAMES = Object.keys(EXPORT_FORMATS).join(', ');

const USAGE = `Usage: npm run --silent convert -- FILE --to FORMAT [--track ID | --line "lat,lon,lat,lon"] > OTHER_FILE

Writes a lap file in another format to standard output: ${FORMAT_NAMES}. Laps are those of the track that fits
best, of a track of data/tracks.json, or of a line of your own. Without --silent, npm writes two lines of its own first.`;

type Wish = {
  file: string;
  format: ExportFormat;
  trackId: string | undefined;
  line: string | undefined;
};

/** Runs the command with these arguments, writes the file to standard output, and returns the exit code. */
export function convert(commandLine: string[]): number {
  return runLapFileCommand(USAGE, () => readWish(commandLine), write);
}

function readWish(commandLine: string[]): Wish | null {
  const { values, positionals } = parseCommandLine(commandLine, { to: { type: 'string' } });
  if (values.help === true) return null;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new CommandError(`Give one lap file. ${USAGE}`);
  const { to, track: trackId, line } = values;
  if (to === undefined || !isExportFormat(to))
    throw new CommandError(`--to takes one of these formats: ${FORMAT_NAMES}.`);
  return { file, format: to, trackId, line };
}

function write({ file, format, trackId, line }: Wish): Iterable<string> {
  const tracks = readTracks();
  const chosen = chosenTrack({ trackId, line }, tracks);
  const lapFile = readLapFile(readBytes(file), inflateLapFile);
  const opened = openFixes(lapFile);
  const track = chosen ?? suggestTracks(opened, buildTrackIndex(tracks))[0]?.track ?? null;
  const { laps } = track === null ? timeOnOwnLine(opened) : timeLaps(opened, track);
  const startFinishLine = track?.startFinishLine ?? opened.startFinishLine;
  const drive = toExportedDrive(lapFile, { title: basename(file), laps, startFinishLine });
  return EXPORT_FORMATS[format].write(drive);
}
