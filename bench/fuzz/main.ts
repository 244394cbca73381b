/**
 * Breaks lap files in every way and checks what must be true of every file, for some minutes of processor time (other work on
 * the machine does not shorten them): `npm run fuzz -- [MINUTES]`, and
 * `npm run fuzz -- --case=SEED` for one case again. `--files=xrk` breaks only files with that in their name. LAP_SAMPLES names a folder of real recordings to break beside the simulated ones.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { makeCase } from './cases.ts';
import { answerSchema, type Answer } from './answer.ts';
import { loadCorpus } from './corpus.ts';

/** A case may take this long on a busy machine; after that it hangs. */
const LONGEST_CASE_MS = 120_000;
const LONGEST_START_MS = 120_000;
const REPORT_MS = 60_000;
/** More of the same is no help. */
const MOST_PROBLEMS = 40;
const LOADER = new URL('../../tests/load-sources.mjs', import.meta.url).href;
const FOLDER = join(tmpdir(), 'pitboard-fuzz');

const files = word(process.argv, 'files');
const corpus = loadCorpus(process.env['LAP_SAMPLES'], files);
const totals = { cpuMs: 0, cases: 0, read: 0, laps: 0, problems: 0, slowestMs: 0, slowest: 0, peakBytes: 0 };

process.exitCode = await run(process.argv.slice(2));

async function run(options: readonly string[]): Promise<number> {
  const only = flag(options, 'case');
  const first = only ?? flag(options, 'seed') ?? randomInt(2 ** 31);
  const minutes = Number(options.find((option) => !option.startsWith('--')) ?? 1);
  if (!Number.isFinite(minutes) || !Number.isSafeInteger(first)) {
    console.error('Usage: npm run fuzz -- [MINUTES] [--seed=FIRST] or npm run fuzz -- --case=SEED');
    return 2;
  }
  if (corpus.length === 0) {
    console.error(`No file has ${files} in its name.`);
    return 2;
  }
  console.log(`${corpus.length} files to break. The first seed is ${first}.`);
  if (process.env['LAP_SAMPLES'] === undefined)
    console.log('No real recordings: LAP_SAMPLES names no folder.');
  await tryCases(first, only === null ? minutes * 60_000 : 0);
  console.log(summary());
  return totals.problems > 0 ? 1 : 0;
}

/** Tries at least one case, and as many more as fit into this processor time. */
async function tryCases(first: number, milliseconds: number): Promise<void> {
  let child = await startChild();
  let reportedAt = performance.now();
  let seed = first;
  do {
    const outcome = await withPatience(child, seed);
    if (typeof outcome === 'string') {
      report(seed, outcome);
      child.kill('SIGKILL');
      child = await startChild();
    } else {
      count(outcome);
      if (outcome.problem !== null) report(seed, outcome.problem);
    }
    if (performance.now() - reportedAt > REPORT_MS) {
      reportedAt = performance.now();
      console.log(summary());
    }
    seed++;
  } while (totals.cpuMs < milliseconds && totals.problems < MOST_PROBLEMS);
  child.kill();
}

function count({ isRead, laps, cpuMs, totalCpuMs, peakBytes, seed }: Answer): void {
  totals.cases++;
  totals.cpuMs += totalCpuMs;
  totals.laps += laps;
  if (isRead) totals.read++;
  totals.peakBytes = Math.max(totals.peakBytes, peakBytes);
  if (cpuMs > totals.slowestMs) {
    totals.slowestMs = cpuMs;
    totals.slowest = seed;
  }
}

async function startChild(): Promise<ChildProcess> {
  const path = fileURLToPath(new URL('child.ts', import.meta.url));
  const child = fork(path, [files], {
    execArgv: ['--import', LOADER, '--max-old-space-size=1500'],
  });
  await waitForAnswer(child, LONGEST_START_MS);
  return child;
}

async function withPatience(child: ChildProcess, seed: number): Promise<Answer | string> {
  const answer = waitForAnswer(child, LONGEST_CASE_MS);
  child.send(seed);
  try {
    return answerSchema.parse(await answer);
  } catch (error) {
    const { name } = makeCase(seed, corpus);
    return `${name}\n${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns the next message of a process. Rejects where it ends first, or takes longer than this. */
function waitForAnswer(child: ChildProcess, patienceMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It hung for ${patienceMs / 1000} s.`)), patienceMs);
    const onEnd = (code: number | null, signal: string | null) => {
      clearTimeout(timer);
      reject(new Error(`The process ended: ${signal ?? code}.`));
    };
    child.once('exit', onEnd);
    child.once('message', (message) => {
      clearTimeout(timer);
      child.off('exit', onEnd);
      resolve(message);
    });
  });
}

function report(seed: number, problem: string): void {
  totals.problems++;
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `case-${seed}`);
  writeFileSync(path, makeCase(seed, corpus).bytes);
  const [name, what = '', ...where] = problem.split('\n');
  console.log(`\nPROBLEM with ${name}\n  ${what}\n${where.slice(0, 3).join('\n')}`);
  console.log(`  The file: ${path}\n  Once more: npm run fuzz -- --case=${seed}`);
}

function summary(): string {
  const { cpuMs, cases, read, laps, problems, slowest, slowestMs, peakBytes } = totals;
  return `${(cpuMs / 60_000).toFixed(1)} minutes: ${cases} cases, ${read} of them read, ${laps} laps; ${problems} problems; the slowest took ${Math.round(slowestMs)} ms (seed ${slowest}); at most ${Math.round(peakBytes / 1e6)} MB of memory`;
}

function flag(options: readonly string[], name: string): number | null {
  const option = word(options, name);
  return option === '' ? null : Number(option);
}

function word(options: readonly string[], name: string): string {
  const option = options.find((candidate) => candidate.startsWith(`--${name}=`));
  return option?.slice(name.length + 3) ?? '';
}
