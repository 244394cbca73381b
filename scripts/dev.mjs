import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, ensureInstalled, projectFolder } from './install.mjs';

// `npm run dev`: the web client from its sources with hot reload, and the server, which starts again on every change.
// Browsers use PORT; Vite passes calls of the API on to the server on the port after it, and begins once that answers, so that no
// page is opened too early. Its data folder is its own, so that it runs beside `npm start`, and what is tried out spoils nothing.

const SERVER_CHECK_INTERVAL_MS = 100;

ensureInstalled();

const webPort = Number(process.env.PORT || 3000);
const serverPort = webPort + 1;
// PostgreSQL refuses to run as root, and whom it runs as then may not be able to reach the project.
const ownDataFolder =
  process.getuid?.() === 0 ? '/var/lib/pitboard-dev' : join(projectFolder, '.cache', 'dev-data');

for (const port of [webPort, serverPort]) {
  if (await isFree(port)) continue;
  end(
    `Port ${port} is in use, perhaps by a server of your own. 'npm run dev' needs ${webPort} and ${serverPort}; PORT=${webPort + 100} npm run dev takes others.`,
  );
}

const stopping = new AbortController();
const children = [];

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopAll(signal));

run('tsx/dist/cli.mjs', ['watch', '--clear-screen=false', 'server/main.ts'], {
  PORT: String(serverPort),
  PUBLIC_URL: `http://localhost:${webPort}`,
  PITBOARD_DATA: process.env.PITBOARD_DATA || ownDataFolder,
});
while (!stopping.signal.aborted && !(await isAnswered(serverPort))) await sleep(SERVER_CHECK_INTERVAL_MS);
if (!stopping.signal.aborted) {
  // By name, as in PUBLIC_URL: calls that come from another address than that are refused.
  run('vite/bin/vite.js', ['--config', 'web/vite.config.ts', '--port', String(webPort), '--strictPort'], {
    PORT: String(serverPort),
  });
}

function run(program, programArguments, environment) {
  const child = spawn(process.execPath, [join(projectFolder, 'node_modules', program), ...programArguments], {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    // Out of reach of the terminal's Ctrl-C, which is passed on below.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  children.push(child);
  child.once('exit', (status) => {
    process.exitCode ||= status ?? 0;
    stopAll('SIGTERM');
  });
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

function isAnswered(port) {
  return new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1', () => resolve(true));
    probe.once('error', () => resolve(false)).once('connect', () => probe.destroy());
  });
}

/** Tells each child once: a second signal means impatience to them. */
function stopAll(signal) {
  if (stopping.signal.aborted) return;
  stopping.abort();
  for (const child of children) child.kill(signal);
}
