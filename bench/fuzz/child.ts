/** Examines the case of every seed that it is sent, and answers. A process of its own, so that it can be killed when it hangs. */
import process from 'node:process';
import type { Answer } from './answer.ts';
import { makeCase } from './cases.ts';
import { loadCorpus } from './corpus.ts';
import { examine, examineReading, mustBeEqual } from './invariants.ts';

// Enough for the largest file that a case can be, with all its copies; a bomb takes more.
const MOST_BYTES = 1_500_000_000;
// Large files take a second or two of the slowest machine; what takes longer grows faster than the file.
const MOST_CPU_MS = 20_000;
const REPEATED_SHARE = 12;
// Every fourth case is timed and compared as well, which takes ten times as long as to read it.
const TIMED_SHARE = 4;

const corpus = loadCorpus(process.env['LAP_SAMPLES'], process.argv[2]);

process.on('message', (seed) => process.send?.(answerTo(Number(seed))));
// The parent is gone: no answer can reach it.
process.on('disconnect', () => process.exit());
process.send?.('ready');

function answerTo(seed: number): Answer {
  const began = process.cpuUsage();
  const { name, bytes, tracks, original } = makeCase(seed, corpus);
  const start = process.cpuUsage();
  const answer: Answer = {
    seed,
    problem: null,
    isRead: false,
    laps: 0,
    cpuMs: 0,
    totalCpuMs: 0,
    peakBytes: 0,
  };
  try {
    const examined = (written: Uint8Array) =>
      seed % TIMED_SHARE === 0 ? examine(written, tracks) : examineReading(written);
    const outcome = examined(bytes);
    answer.cpuMs = process.cpuUsage(start).user / 1000;
    answer.peakBytes = process.resourceUsage().maxRSS * 1024;
    answer.isRead = 'file' in outcome;
    answer.laps = 'laps' in outcome ? outcome.laps.flat().length : 0;
    if (seed % REPEATED_SHARE === 0) mustBeEqual(outcome, examined(bytes), 'result every time');
    if (original !== null) mustBeEqual(examined(original), outcome, 'result in whichever way it is written');
    if (answer.cpuMs > MOST_CPU_MS) throw new Error(`It took ${Math.round(answer.cpuMs)} ms.`);
    if (answer.peakBytes > MOST_BYTES)
      throw new Error(`It took ${Math.round(answer.peakBytes / 1e6)} MB of memory.`);
  } catch (error) {
    answer.problem = `${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
  answer.totalCpuMs = process.cpuUsage(began).user / 1000;
  return answer;
}
