import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

// `npm start`: everything that a fresh clone needs, then the server, in this same process: whoever ends it ends the server.

const NPM_CHECK_INTERVAL_MS = 500;

ensureInstalled();
ensureBuilt();
stopWithNpm();
process.setSourceMapsEnabled(true);
await import('../dist/server/main.js');

/** When npm is killed, it cannot pass that on; the server would go on with nobody to stop it. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, NPM_CHECK_INTERVAL_MS);
  timer.unref();
}
