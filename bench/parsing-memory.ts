/**
 * Reads one file with one reader in a thread of its own, which has the heap of the server's lap workers, and prints by how many bytes the
 * memory of the process grew at most while it read: `node --import ./tests/load-sources.mjs bench/parsing-memory.ts FILE READER`. Linux only,
 * where a process can forget the peak of its own start.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread, Worker } from 'node:worker_threads';
import { LAP_WORKER_YOUNG_MEGABYTES } from '#server/model/laps/timing/lap-workers.ts';
import { benchTrack, readers } from './parsing.ts';

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), {
    argv: process.argv.slice(2),
    resourceLimits: { maxYoungGenerationSizeMb: LAP_WORKER_YOUNG_MEGABYTES },
  });
  worker.on('error', (error) => {
    throw error;
  });
} else {
  const [, , path = '', name = ''] = process.argv;
  const bytes = readFileSync(path);
  const reader = readers(benchTrack())[name];
  if (reader === undefined) throw new Error(`There is no reader ${name}.`);
  writeFileSync('/proc/self/clear_refs', '5');
  const before = peakBytes();
  await reader(bytes);
  console.log(peakBytes() - before);
}

function peakBytes(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return 1024 * Number(kilobytes);
}
