import { basename } from 'node:path';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import { isConfirmed } from '#engine/testing/confirm-cause.ts';
import { timeLaps, type OpenedLapFile } from '#engine/time-lap-file.ts';
import { isRanking, type Lap } from '#engine/timing/laps.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import { listLapSamples, type LapSample } from '../tests/lap-samples.ts';
import { openRecording } from './bands.ts';

const FASTEST_LAPS = 6;

/** Prints how many causes of recordings an independent check confirms, and those that it does not. */
export async function run(): Promise<void> {
  const folder = process.env['LAP_SAMPLES'];
  if (folder === undefined) return console.log('Set LAP_SAMPLES to a folder of recordings.');
  const all = { named: 0, confirmed: 0, pairs: 0, places: 0 };
  for (const sample of listLapSamples(folder)) {
    const { unconfirmed, ...counts } = checkRecording(sample);
    all.named += counts.named;
    all.confirmed += counts.confirmed;
    all.pairs += counts.pairs;
    all.places += counts.places;
    for (const line of unconfirmed) console.log(`  ${basename(sample.path)}: ${line}`);
  }
  const share = (100 * all.confirmed) / all.named;
  console.log(
    `${all.confirmed} of ${all.named} sentences confirmed (${share.toFixed(1)} %), ${all.pairs} pairs of laps, ${all.places} stretches`,
  );
}

type Checked = { named: number; confirmed: number; pairs: number; places: number; unconfirmed: string[] };

/** Checks every cause of every pair of the fastest laps of a recording. */
export function checkRecording({ path, truth }: LapSample): Checked {
  const checked: Checked = { named: 0, confirmed: 0, pairs: 0, places: 0, unconfirmed: [] };
  const file = truth?.startFinish ? openRecording(path) : null;
  if (file === null || !truth?.startFinish) return checked;
  const { laps } = timeLaps(file, trackFromLine(undirectedLine(...truth.startFinish)));
  const fastest = laps
    .filter(isRanking)
    .toSorted((a, b) => a.lapTimeMs - b.lapTimeMs)
    .slice(0, FASTEST_LAPS)
    .map((lap) => ({ ...file, lap }));
  for (const [index, first] of fastest.entries())
    for (const second of fastest.slice(index + 1)) checkPair(checked, first, second);
  return checked;
}

type RecordedLap = OpenedLapFile & { lap: Lap };

function checkPair(checked: Checked, first: RecordedLap, second: RecordedLap): void {
  const comparison = compareLaps(first, [{ ...second, isSameRecording: true }]);
  if (comparison === null) return;
  checked.pairs += 1;
  checked.places += comparison.stretches.length;
  for (const { laps, ...stretch } of comparison.stretches) {
    const cause = laps[1]?.cause ?? null;
    if (cause === null) continue;
    checked.named += 1;
    const brakingMeters = laps.map((lap) => lap.brakingMeters);
    if (isConfirmed(comparison, [first, second], { ...stretch, cause, brakingMeters }))
      checked.confirmed += 1;
    else
      checked.unconfirmed.push(
        `laps ${first.lap.number} and ${second.lap.number}, ${stretch.kind} ${stretch.number}, from ${stretch.startMeters.toFixed(0)} m: ${JSON.stringify(cause)}`,
      );
  }
}
