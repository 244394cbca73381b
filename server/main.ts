import { readConfig, type Config } from './kernel/config.ts';
import { startServer, type StartedServer } from './start-server.ts';
import { fail, outliveTerminal, say } from './kernel/terminal.ts';

/** The server's process: reads the settings, starts, tells the person at the terminal, and stops on a signal. */

// npm passes a Ctrl-C on that the terminal has sent already: two signals this close are one.
const SAME_SIGNAL_MS = 500;

function describeStart(config: Config, version: string): string {
  const database = config.databaseUrl === null ? `in ${config.dataFolder}` : describeHost(config.databaseUrl);
  const signIn = config.oidc === null ? 'local accounts, for this computer only' : `with ${config.oidc.name}`;
  return [
    '',
    `Pitboard ${version} is running. Open ${config.publicUrl} in a browser.`,
    '',
    `  Data      ${database}`,
    `  Sign-in   ${signIn}`,
    `  Settings  environment variables, see docs/operations.md`,
    '',
    'Ctrl-C stops it.',
  ].join('\n');
}

/** Where a database is. An address through a socket has no host, and is no URL in the eyes of `URL`. */
function describeHost(databaseUrl: string): string {
  const host = URL.canParse(databaseUrl) ? new URL(databaseUrl).host : '';
  return host === '' ? 'PostgreSQL on this computer' : host;
}

function stopOnSignals(starting: Promise<StartedServer>): void {
  let firstSignalMs: number | null = null;
  const onSignal = (): void => {
    const nowMs = Date.now();
    if (firstSignalMs === null) {
      firstSignalMs = nowMs;
      void stop(starting);
    } else if (nowMs - firstSignalMs > SAME_SIGNAL_MS) {
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

async function stop(starting: Promise<StartedServer>): Promise<void> {
  say('Stopping …');
  try {
    await (await starting).stop();
  } catch (error) {
    fail(error);
  }
  say('Stopped.');
  process.exit(0);
}

outliveTerminal();
try {
  const config = readConfig();
  const starting = startServer(config, { say, onFailure: fail });
  stopOnSignals(starting);
  const { version } = await starting;
  say(describeStart(config, version));
} catch (error) {
  fail(error);
}
