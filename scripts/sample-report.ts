import { readFileSync } from 'node:fs';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { openLapFile, type OpenedLapFile } from '#engine/time-lap-file.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import {
  compareWithTruth,
  lineThrough,
  listLapSamples,
  rankingTimes,
  type LapSample,
  type SampleTruth,
} from '../tests/lap-samples.ts';
import { countDoubted, listSampleWarnings } from '../tests/sample-warnings.ts';

/** Our times may differ this much from those of the device: straight lines between the fixes are no better. */
const DEVICES: readonly { name: string; files: RegExp; mostMs: number }[] = [
  { name: 'Doves, 25 Hz', files: /^dovex/, mostMs: 1 },
  { name: 'AiM .xrk, laps as other software reads them', files: /aim-xrk/, mostMs: 15 },
  { name: 'AiM, line fitted through its markers', files: /aim-rs3_1fk/, mostMs: 12 },
  { name: 'AiM, 8 Hz', files: /aim/, mostMs: 2 },
  { name: 'RaceChrono', files: /^racechrono/, mostMs: 40 },
  { name: 'SpeedAngle, 10 Hz', files: /speedangle/, mostMs: 8 },
  { name: 'MyChronoGPS, 5 to 10 Hz, cut to 10 ms', files: /mcg/, mostMs: 14 },
  { name: "Harry's LapTimer, 1 Hz", files: /harrys/, mostMs: 32 },
  { name: 'TrackAddict, 1 Hz', files: /trackaddict/, mostMs: 31 },
  { name: 'RaceBox and Lap Legend, laps cut to 40 ms', files: /racebox|laplegend/, mostMs: 45 },
  { name: 'RaceCapture, times cut to 100 ms', files: /racecapture/, mostMs: 180 },
];

/** Times of devices are whole milliseconds, and often differences of two of them. */
const ROUNDING_MS = 1;

/** These times are calculated from the positions alone, with straight lines: no device reports them, and ours may be better. */
const CALCULATED = { name: 'no official times, calculated', mostMs: 150 };

/** Laps of the device that do not rank with us: a stop of two minutes, or no crossing before, as where the file begins 2 m behind the line. */
const NOT_RANKING = new Map([
  ['derived/racecapture_slow-clock_dijon.log', [92_780]],
  ['laplegend_pueblo.csv', [129_240]],
  ['vbo_racebox_lignano.vbo', [189_098, 178_888]],
  ['trackaddict_stc_2019.csv', [155_138]],
]);

/** Their known laps are crossings of the line; the device's own records of laps differ from those by up to 32 ms. */
const NOT_BY_LOGGER = /aim-xrk/;

type Row = {
  device: string;
  file: string;
  laps: string;
  missing: number;
  tooMany: number;
  worstMs: string;
  by: string;
};

/** Prints the result of every recording in a folder; returns whether all results are as expected. */
export function reportSamples(folder: string): boolean {
  const samples = listLapSamples(folder);
  const rows: Row[] = [];
  const others: { file: string; becomes: string }[] = [];
  const faults: string[] = [];
  for (const sample of samples) {
    const opened = open(sample);
    if (typeof opened === 'string' || sample.truth === null || listTimes(opened, sample.truth).length === 0) {
      others.push({ file: sample.name, becomes: describeChange(opened) });
    } else examine(sample, opened, sample.truth, { rows, faults });
  }
  console.log('Recordings with known lap times, all differences in milliseconds:');
  console.table(rows);
  console.log('\nRecordings without, and files that hold none:');
  console.table(others);
  reportWarnings(folder);
  for (const fault of faults) console.log(`WRONG: ${fault}`);
  const laps = rows.reduce((sum, row) => sum + Number(row.laps.split(' ')[0]), 0);
  console.log(`${samples.length} files, ${laps} laps with known times, ${faults.length} faults.`);
  return faults.length === 0;
}

/** Prints which laps of which recording carry a warning, and how many are doubted. */
function reportWarnings(folder: string): void {
  const recordings = listSampleWarnings(folder);
  console.log('\nWarnings of ranking laps, by the numbers of the laps:');
  const warned = recordings.flatMap(({ name, laps, warned: reasons }) =>
    [...reasons].map(([warning, numbers]) => ({
      file: name,
      warning,
      laps: `${numbers.length} of ${laps}`,
      numbers: numbers.join(' '),
    })),
  );
  console.table(warned);
  const laps = recordings.reduce((sum, recording) => sum + recording.laps, 0);
  const doubted = recordings.reduce((sum, recording) => sum + countDoubted(recording), 0);
  console.log(`${laps} ranking laps, ${doubted} doubted (${((100 * doubted) / laps).toFixed(2)} %).\n`);
}

/** Opens a file; returns the sentence with which it is refused, if it is. */
function open({ path }: LapSample): OpenedLapFile | string {
  try {
    return openLapFile(readFileSync(path), inflateLapFile);
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return error.message;
    throw error;
  }
}

function describeChange(opened: OpenedLapFile | string): string {
  if (typeof opened === 'string') return opened;
  const { format, fixCount, gpsRateHz, clock } = opened;
  return `${format}: ${fixCount} positions, ${gpsRateHz ?? '?'} Hz, ${clock}`;
}

function examine(
  { name }: LapSample,
  opened: OpenedLapFile,
  truth: SampleTruth,
  { rows, faults }: { rows: Row[]; faults: string[] },
): void {
  const device = (truth.official ? DEVICES.find(({ files }) => files.test(name)) : undefined) ?? CALCULATED;
  for (const { by, times } of listTimes(opened, truth)) {
    const notRanking = NOT_RANKING.get(truth.file) ?? [];
    const ranking = truth.laps.filter(({ timeMs }) => !notRanking.includes(timeMs));
    const ours = times.filter((timeMs) => !notRanking.includes(timeMs));
    const { differencesMs, missing, tooMany } = compareWithTruth(ours, { ...truth, laps: ranking });
    const worst = Math.max(0, ...differencesMs.map(Math.abs));
    rows.push({
      device: device.name,
      file: name,
      laps: `${differencesMs.length} of ${truth.laps.length}`,
      missing: missing.length,
      tooMany: tooMany.length,
      worstMs: `${worst.toFixed(1)} of ${device.mostMs}`,
      by,
    });
    if (worst > device.mostMs + ROUNDING_MS)
      faults.push(`${name} (${by}): ${worst.toFixed(1)} ms, more than ${device.mostMs}.`);
    if (missing.length > 0) faults.push(`${name} (${by}): ${missing.join(', ')} missing.`);
    if (tooMany.length > 0) faults.push(`${name} (${by}): ${tooMany.map(Math.round).join(', ')} too many.`);
  }
}

/** Lists the times from the positions where the line is known, and those that the logger has written. */
function listTimes(file: OpenedLapFile, truth: SampleTruth): { by: string; times: number[] }[] {
  const results: { by: string; times: number[] }[] = [];
  const { startFinish, startFinishPoint } = truth;
  if (startFinish !== null) {
    results.push({ by: 'positions', times: rankingTimes(file, undirectedLine(...startFinish)) });
  } else if (startFinishPoint !== undefined) {
    results.push({ by: 'positions', times: rankingTimes(file, lineThrough(startFinishPoint, file)) });
  }
  if (file.loggerLaps.length > 0 && !NOT_BY_LOGGER.test(truth.file)) {
    results.push({ by: 'logger', times: file.loggerLaps.map(({ lapTimeMs }) => lapTimeMs) });
  }
  return results;
}
