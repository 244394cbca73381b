import type { LapFile } from '../lap-file.ts';
import { aimCsv } from './dialects/aim-csv.ts';
import { alfanoCsv } from './dialects/alfano-csv.ts';
import { droggerCsv } from './dialects/drogger-csv.ts';
import { gaugeSCsv } from './dialects/gauge-s-csv.ts';
import { dovesCsv } from './dialects/doves-csv.ts';
import { genericCsv } from './dialects/generic-csv.ts';
import { columbusCsv, qstarzCsv } from './dialects/gps-logger-csv.ts';
import { gpx } from './dialects/gpx.ts';
import { harrysCsv } from './dialects/harrys-csv.ts';
import type { LapFileFormat } from './rows/lap-file-format.ts';
import { headerlessCsv } from './dialects/headerless-csv.ts';
import { lapLegendCsv } from './dialects/lap-legend-csv.ts';
import { motecCsv } from './dialects/motec-csv.ts';
import { nmea } from './dialects/nmea.ts';
import { withPlausibleValues } from './plausible-values.ts';
import { raceBoxCsv } from './dialects/racebox-csv.ts';
import { raceCaptureLog } from './dialects/racecapture-log.ts';
import { raceChronoCsvV3 } from './dialects/racechrono-csv.ts';
import { raceChronoCsvV1, raceChronoCsvV2 } from './dialects/racechrono-older-csv.ts';
import { refuseBinary, unknownFileError } from './refuse.ts';
import { speedAngleSa } from './dialects/speedangle-sa.ts';
import { soloStormCsv } from './dialects/solostorm-csv.ts';
import { telemetryOverlayCsv } from './dialects/telemetry-overlay-csv.ts';
import { decodeText, toByteText } from './text/text-encoding.ts';
import { torqueCsv } from './dialects/torque-csv.ts';
import { trackAddictCsv } from './dialects/trackaddict-csv.ts';
import { vbo } from './dialects/vbo.ts';
import { vescCsv } from './dialects/vesc-csv.ts';

/** Every format that can be read. The first that recognises a file reads it, so the ones that ask for less stand further down. */
export const FORMATS: readonly LapFileFormat[] = [
  gpx,
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
  vescCsv,
  genericCsv,
  headerlessCsv,
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
  return withPlausibleValues({
    format: known.format,
    receiverRateHz: null,
    startFinishLine: null,
    ...known.read(text),
  });
}

// Longer than any preamble that names its logger.
const HEAD_BYTES = 16_384;
