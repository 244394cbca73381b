import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, ensureInstalled, projectFolder } from './install.mjs';

// `npm run dev` serves the web client from its sources with hot reload, and restarts the server on every change. Browsers use
// PORT; Vite passes calls of the API to the server on the next port, and starts once that answers, so that no page is opened
// too early. It has its own data folder, so it runs beside `npm start` and does not change the data there.

const SERVER_CHECK_INTERVAL_MS = 100;

ensureInstalled();

const webPort = Number(process.env.PORT || 3000);
const serverPort = webPort + 1;
// PostgreSQL refuses to run as root, and the user it runs as then may have no access to the project.
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
  // Vite needs the host name of PUBLIC_URL: calls with another origin are refused.
  run('vite/bin/vite.js', ['--config', 'web/vite.config.ts', '--port', String(webPort), '--strictPort'], {
    PORT: String(serverPort),
  });
}

function run(program, programArguments, environment) {
  const child = spawn(process.execPath, [join(projectFolder, 'node_modules', program), ...programArguments], {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    // A detached child does not get the terminal's Ctrl-C, which is passed on below.
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

/** Signals each child only once: children take a second signal as a request to stop at once. */
function stopAll(signal) {
  if (stopping.signal.aborted) return;
  stopping.abort();
  for (const child of children) child.kill(signal);
}
