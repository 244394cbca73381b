import { UnreadableLapFileError, type LapFile } from '../lap-file.ts';
import { findLapList, listArchivedLapFiles } from './binary/archived-lap-files.ts';
import type { BinaryLapFileFormat } from './binary/binary-format.ts';
import { isZip, listZipEntries, ZipReader } from './binary/zip-archive.ts';
import { aimCsv } from './dialects/aim-csv.ts';
import { aimXrk } from './dialects/aim-xrk.ts';
import { alfanoCsv } from './dialects/alfano-csv.ts';
import { cameraCsv } from './dialects/camera-csv.ts';
import { droggerCsv } from './dialects/drogger-csv.ts';
import { gaugeSCsv } from './dialects/gauge-s-csv.ts';
import { dovesCsv } from './dialects/doves-csv.ts';
import { garminFit } from './dialects/garmin-fit.ts';
import { genericCsv } from './dialects/generic-csv.ts';
import { columbusCsv, qstarzCsv } from './dialects/gps-logger-csv.ts';
import { gpx } from './dialects/gpx.ts';
import { ecumasterAdulog } from './dialects/ecumaster-adulog.ts';
import { harrysCsv } from './dialects/harrys-csv.ts';
import { harrysXml } from './dialects/harrys-xml.ts';
import { kml } from './dialects/kml.ts';
import type { LapFileContent, LapFileFormat } from './rows/lap-file-format.ts';
import { headerlessCsv } from './dialects/headerless-csv.ts';
import { iracingIbt } from './dialects/iracing-ibt.ts';
import { lapLegendCsv } from './dialects/lap-legend-csv.ts';
import { motecCsv } from './dialects/motec-csv.ts';
import { motecLd, readMotecLog } from './dialects/motec-ld.ts';
import { nmea } from './dialects/nmea.ts';
import { withPlausibleValues } from './plausible-values.ts';
import { pitboardRecording } from './dialects/pitboard-recording.ts';
import { qstarzBin } from './dialects/qstarz-bin.ts';
import { raceBoxCsv } from './dialects/racebox-csv.ts';
import { raceBoxFrames } from './dialects/racebox-frames.ts';
import { raceCaptureLog } from './dialects/racecapture-log.ts';
import { raceChronoCsvV3 } from './dialects/racechrono-csv.ts';
import { raceChronoCsvV1, raceChronoCsvV2 } from './dialects/racechrono-older-csv.ts';
import { isRaceChronoSession, readRaceChronoSession } from './dialects/racechrono-rcz.ts';
import { racetechRun } from './dialects/racetech-run.ts';
import { refuseBinary, unknownFileError } from './refuse.ts';
import { speedAngleSa } from './dialects/speedangle-sa.ts';
import { soloStormCsv } from './dialects/solostorm-csv.ts';
import { telemetryOverlayCsv } from './dialects/telemetry-overlay-csv.ts';
import { decodeText, toByteText } from './text/text-encoding.ts';
import { withoutPadding, withoutSeparatorLine, withPlainMinus } from './text/tidy-cells.ts';
import { tcx } from './dialects/tcx.ts';
import { torqueCsv } from './dialects/torque-csv.ts';
import { trackAddictCsv } from './dialects/trackaddict-csv.ts';
import { ubx } from './dialects/ubx.ts';
import { vbb } from './dialects/vbb.ts';
import { withDecimalPoints, withSemicolons } from './text/other-separators.ts';
import { vbo } from './dialects/vbo.ts';
import { vescCsv } from './dialects/vesc-csv.ts';
import { uniproTsv } from './dialects/unipro-tsv.ts';
import { unpackLapFile, type Inflate } from './unpack.ts';

/** Lists every format that can be read. The first that recognises a file reads it, so the ones that ask for less come later. */
export const FORMATS: readonly LapFileFormat[] = [
  cameraCsv,
  gpx,
  tcx,
  kml,
  harrysXml,
  raceChronoCsvV3,
  raceChronoCsvV2,
  raceChronoCsvV1,
  trackAddictCsv,
  vbo,
  nmea,
  speedAngleSa,
  raceCaptureLog,
  harrysCsv,
  raceBoxCsv,
  dovesCsv,
  aimCsv,
  alfanoCsv,
  droggerCsv,
  gaugeSCsv,
  columbusCsv,
  qstarzCsv,
  lapLegendCsv,
  motecCsv,
  soloStormCsv,
  telemetryOverlayCsv,
  torqueCsv,
  uniproTsv,
  vescCsv,
  genericCsv,
  headerlessCsv,
];

/** Lists every binary format that is known by its first bytes; `readArchive` knows those in ZIP archives. */
const BINARY_FORMATS: readonly BinaryLapFileFormat[] = [
  pitboardRecording,
  aimXrk,
  garminFit,
  raceBoxFrames,
  ubx,
  vbb,
  motecLd,
  iracingIbt,
  // The last three have no mark of their own.
  ecumasterAdulog,
  qstarzBin,
  racetechRun,
];

export function listFormatNames(): string[] {
  return [RACECHRONO_SESSION, ...[...BINARY_FORMATS, ...FORMATS].map(({ format }) => format)];
}

const RACECHRONO_SESSION = 'racechrono-rcz';
const RACECHRONO_SESSION_NAME = 'RaceChrono session';

/** Returns the name of a format for people; one that is not known keeps its name for machines. */
export function nameFormat(format: string): string {
  if (format === RACECHRONO_SESSION) return RACECHRONO_SESSION_NAME;
  return [...BINARY_FORMATS, ...FORMATS].find((known) => known.format === format)?.name ?? format;
}

/**
 * Reads a lap file of any known format, recognised by its content and never by its name. `inflate` unpacks compressed ones; without it they
 * are refused. Throws UnreadableLapFileError, whose message is one sentence for the driver, where there is nothing to time in it.
 */
export function readLapFile(bytes: Uint8Array, inflate: Inflate | null = null): LapFile {
  return withPlausibleValues({
    partStarts: [0],
    receiverRateHz: null,
    startFinishLine: null,
    accuracy: null,
    isSimulated: false,
    ...readContent(bytes, inflate, false),
  });
}

type NamedContent = LapFileContent & { format: string };

function readContent(packed: Uint8Array, inflate: Inflate | null, isArchived: boolean): NamedContent {
  const bytes = inflate === null ? packed : unpackLapFile(packed, inflate);
  if (isZip(bytes) && !isArchived) return readArchive(bytes, inflate);
  const binary = BINARY_FORMATS.find((candidate) => candidate.recognise(bytes));
  return binary === undefined ? readText(bytes) : { format: binary.format, ...binary.read(bytes, inflate) };
}

/** Reads a session of RaceChrono, or the only lap file in a ZIP archive, and with a MoTeC log the list of its laps. */
function readArchive(bytes: Uint8Array, inflate: Inflate | null): NamedContent {
  const entries = listZipEntries(bytes);
  if (isRaceChronoSession(entries))
    return { format: RACECHRONO_SESSION, ...readRaceChronoSession(bytes, inflate) };
  const [only, ...others] = listArchivedLapFiles(entries);
  if (only === undefined || others.length > 0) {
    throw new UnreadableLapFileError(
      `This ZIP archive holds ${others.length + 1} lap files; unpack it and choose one of them.`,
    );
  }
  const reader = new ZipReader(bytes, inflate);
  const lapFile = reader.read(only);
  const lapList = findLapList(entries, only);
  if (lapList !== undefined && motecLd.recognise(lapFile))
    return { format: motecLd.format, ...readMotecLog(lapFile, reader.read(lapList)) };
  return readContent(lapFile, inflate, true);
}

function readText(bytes: Uint8Array): NamedContent {
  refuseBinary(bytes);
  const written = withPlainMinus(withoutPadding(withoutSeparatorLine(toByteText(bytes))));
  const head = decodeText(written.subarray(0, HEAD_BYTES));
  const pointed = withDecimalPoints(written, head);
  const text = pointed ?? written;
  const file = { bytes: text, head: pointed === null ? head : decodeText(text.subarray(0, HEAD_BYTES)) };
  const known = FORMATS.find((candidate) => candidate.recognise(file));
  if (known !== undefined) return { format: known.format, ...known.read(file) };
  const separated = withSemicolons(text, file.head);
  if (separated === null) throw unknownFileError(file);
  const table = { bytes: separated, head: decodeText(separated.subarray(0, HEAD_BYTES)) };
  const plain = PLAIN_TABLES.find((candidate) => candidate.recognise(table));
  if (plain === undefined) throw unknownFileError(file);
  return { format: plain.format, ...plain.read(table) };
}

/** Lists the formats of tables that no logger in particular writes. */
const PLAIN_TABLES: readonly LapFileFormat[] = [genericCsv, headerlessCsv];

// No preamble that names its logger is longer.
const HEAD_BYTES = 16_384;
