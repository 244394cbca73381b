import { basename } from 'node:path';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import { isCauseConfirmed } from '#engine/testing/confirm-cause.ts';
import { checkFigures } from '#engine/testing/confirm-figures.ts';
import { readPlainLap } from '#engine/testing/plain-lap.ts';
import { timeLaps, type OpenedLapFile } from '#engine/time-lap-file.ts';
import { isRanking, type Lap } from '#engine/timing/laps.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import { listLapSamples, type LapSample } from '../tests/lap-samples.ts';
import { openRecording } from './bands.ts';

/** Prints how many sentences and figures about pairs of laps of recordings an independent check confirms, and those that it does not. */
export async function run(): Promise<void> {
  const folder = process.env['LAP_SAMPLES'];
  if (folder === undefined) return console.log('Set LAP_SAMPLES to a folder of recordings.');
  const all = { sentences: 0, figures: 0, pairs: 0, stretches: 0 };
  const missed = { sentences: 0, figures: 0 };
  for (const sample of listLapSamples(folder)) {
    const checked = checkRecording(sample);
    all.sentences += checked.sentences;
    all.figures += checked.figures;
    all.pairs += checked.pairs;
    all.stretches += checked.stretches;
    missed.sentences += checked.wrongSentences.length;
    missed.figures += checked.wrongFigures.length;
    for (const line of [...checked.wrongSentences, ...checked.wrongFigures])
      console.log(`  ${basename(sample.path)}: ${line}`);
  }
  console.log(`${all.pairs} pairs of laps, ${all.stretches} stretches`);
  for (const kind of ['sentences', 'figures'] as const) {
    const confirmed = all[kind] - missed[kind];
    const share = ((100 * confirmed) / all[kind]).toFixed(3);
    console.log(`${confirmed} of ${all[kind]} ${kind} confirmed (${share} %)`);
  }
}

type Checked = {
  pairs: number;
  stretches: number;
  sentences: number;
  /** Counts speeds, braking points and their differences in the tables. */
  figures: number;
  wrongSentences: string[];
  wrongFigures: string[];
};

/** Checks all that is said of every pair of ranking laps of a recording, or of so many laps from the fastest to the slowest. */
export function checkRecording({ path, truth }: LapSample, lapsMax = Number.POSITIVE_INFINITY): Checked {
  const checked: Checked = {
    pairs: 0,
    stretches: 0,
    sentences: 0,
    figures: 0,
    wrongSentences: [],
    wrongFigures: [],
  };
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
  checked.stretches += comparison.stretches.length;
  const plain = [readPlainLap(comparison, first), readPlainLap(comparison, second)] as const;
  for (const stretch of comparison.stretches) {
    const { kind, number, startMeters, endMeters, laps } = stretch;
    const where = `laps ${first.lap.number} and ${second.lap.number}, ${kind} ${number}, from ${startMeters.toFixed(0)} m`;
    const figures = checkFigures(plain, stretch);
    checked.figures += figures.length;
    for (const { name, isConfirmed } of figures)
      if (!isConfirmed) checked.wrongFigures.push(`${where}: ${name}`);
    const cause = laps[1]?.cause ?? null;
    if (cause === null) continue;
    checked.sentences += 1;
    if (!isCauseConfirmed(plain, { cause, startMeters, endMeters }))
      checked.wrongSentences.push(`${where}: ${JSON.stringify(cause)}`);
  }
}
