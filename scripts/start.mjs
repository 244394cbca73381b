import { readFileSync } from 'node:fs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

// `npm start` prepares a fresh clone, then runs the server in this same process: a signal to it stops the server.

const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox'];
const NPM_CHECK_INTERVAL_MS = 500;

ensureInstalled();
ensureBuilt();
stopWithNpm();
process.setSourceMapsEnabled(true);
await import('../dist/server/main.js');

/**
 * Stops the server when npm has ended: if npm is killed, or its shell stops at a signal without passing it on, no signal would
 * reach the server any more.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = findNpm();
  const timer = setInterval(() => {
    if (findNpm() === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, NPM_CHECK_INTERVAL_MS);
  timer.unref();
}

/** Finds the number of the process that runs npm: the parent, or the one above npm's shell. */
function findNpm() {
  try {
    const [, program, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'));
    return SHELLS.includes(program) ? Number(parent) : process.ppid;
  } catch {
    return process.ppid; // only Linux shows the ancestors
  }
}
