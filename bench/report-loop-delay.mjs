import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

// Loaded into a server that is measured. At each SIGUSR2 it writes how long the event loop was held since the last one.

const file = process.env.LOOP_DELAY_FILE;
const NS_PER_MS = 1e6;

if (isMainThread && file) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    const report = { p99Ms: delay.percentile(99) / NS_PER_MS, longestMs: delay.max / NS_PER_MS };
    writeFileSync(file, JSON.stringify(report));
    delay.reset();
  });
}
