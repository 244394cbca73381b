import { basename } from 'node:path';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import { confirmCauses } from '#engine/testing/confirm-cause.ts';
import { timeLaps, type OpenedLapFile } from '#engine/time-lap-file.ts';
import { isRanking, type Lap } from '#engine/timing/laps.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import { listLapSamples, type LapSample } from '../tests/lap-samples.ts';
import { openRecording } from './bands.ts';

/** Prints how many sentences about pairs of laps of recordings an independent check confirms, and those that it does not. */
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

/** Checks every cause of every pair of ranking laps of a recording, or of so many laps from the fastest to the slowest. */
export function checkRecording({ path, truth }: LapSample, lapsMax = Number.POSITIVE_INFINITY): Checked {
  const checked: Checked = { named: 0, confirmed: 0, pairs: 0, places: 0, unconfirmed: [] };
  const file = truth?.startFinish ? openRecording(path) : null;
  if (file === null || !truth?.startFinish) return checked;
  const { laps } = timeLaps(file, trackFromLine(undirectedLine(...truth.startFinish)));
  const ranking = laps.filter(isRanking).toSorted((a, b) => a.lapTimeMs - b.lapTimeMs);
  const chosen = pickEvenly(ranking, lapsMax).map((lap) => ({ ...file, lap }));
  for (const [index, first] of chosen.entries())
    for (const second of chosen.slice(index + 1)) checkPair(checked, first, second);
  return checked;
}

function pickEvenly<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, (items.length - 1) / (count - 1));
  return items.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}

type RecordedLap = OpenedLapFile & { lap: Lap };

function checkPair(checked: Checked, first: RecordedLap, second: RecordedLap): void {
  const comparison = compareLaps(first, [{ ...second, isSameRecording: true }]);
  if (comparison === null) return;
  checked.pairs += 1;
  checked.places += comparison.stretches.length;
  const isConfirmed = confirmCauses(comparison, [first, second]);
  for (const { laps, ...stretch } of comparison.stretches) {
    const cause = laps[1]?.cause ?? null;
    if (cause === null) continue;
    checked.named += 1;
    if (isConfirmed({ ...stretch, cause })) checked.confirmed += 1;
    else
      checked.unconfirmed.push(
        `laps ${first.lap.number} and ${second.lap.number}, ${stretch.kind} ${stretch.number}, from ${stretch.startMeters.toFixed(0)} m: ${JSON.stringify(cause)}`,
      );
  }
}
