import type { LapFile } from '../lap-file.ts';
import { aimCsv } from './aim-csv.ts';
import { alfanoCsv } from './alfano-csv.ts';
import { droggerCsv } from './drogger-csv.ts';
import { gaugeSCsv } from './gauge-s-csv.ts';
import { dovesCsv } from './doves-csv.ts';
import { genericCsv } from './generic-csv.ts';
import { columbusCsv, qstarzCsv } from './gps-logger-csv.ts';
import { gpx } from './gpx.ts';
import { harrysCsv } from './harrys-csv.ts';
import type { LapFileFormat } from './lap-file-format.ts';
import { lapLegendCsv } from './lap-legend-csv.ts';
import { motecCsv } from './motec-csv.ts';
import { nmea } from './nmea.ts';
import { withPossibleValues } from './possible-values.ts';
import { raceBoxCsv } from './racebox-csv.ts';
import { raceCaptureLog } from './racecapture-log.ts';
import { raceChronoCsvV3 } from './racechrono-csv.ts';
import { raceChronoCsvV1, raceChronoCsvV2 } from './racechrono-older-csv.ts';
import { refuseBinary, unknownFileError } from './refuse.ts';
import { soloStormCsv } from './solostorm-csv.ts';
import { telemetryOverlayCsv } from './telemetry-overlay-csv.ts';
import { decodeText, toByteText } from './text-encoding.ts';
import { torqueCsv } from './torque-csv.ts';
import { trackAddictCsv } from './trackaddict-csv.ts';
import { vbo } from './vbo.ts';
import { vescCsv } from './vesc-csv.ts';

/** Every format that can be read. The first that recognises a file reads it, so the ones that ask for less stand further down. */
export const FORMATS: readonly LapFileFormat[] = [
  gpx,
  raceChronoCsvV3,
  raceChronoCsvV2,
  raceChronoCsvV1,
  trackAddictCsv,
  vbo,
  nmea,
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
  vescCsv,
  genericCsv,
];

/**
 * Reads a lap file of any known format, recognised by its content and never by its name.
 * Throws UnreadableLapFileError, whose message is one sentence for the driver, where there is nothing to time in it.
 */
export function readLapFile(bytes: Uint8Array): LapFile {
  refuseBinary(bytes);
  const content = toByteText(bytes);
  const text = { bytes: content, head: decodeText(content.subarray(0, HEAD_BYTES)) };
  const known = FORMATS.find((candidate) => candidate.recognise(text));
  if (known === undefined) throw unknownFileError(text);
  return withPossibleValues({
    format: known.format,
    receiverRateHz: null,
    startFinishLine: null,
    ...known.read(text),
  });
}

// Longer than any preamble that names its logger.
const HEAD_BYTES = 16_384;
