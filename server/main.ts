import { ConfigError, readConfig, type Config } from './config.ts';
import { DataFolderError } from './data-folder.ts';
import { DatabaseError } from './db/migrate.ts';
import { EmbeddedPostgresError } from './db/postgres-program.ts';
import { StartError, startServer, type StartedServer } from './start-server.ts';

/** The server's process: reads the settings, starts, tells the person at the terminal, and stops on a signal. */

// npm passes a Ctrl-C on that the terminal has sent already: two signals this close are one.
const SAME_SIGNAL_MS = 500;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describeStart(config: Config, version: string): string {
  const database = config.databaseUrl === null ? `in ${config.dataFolder}` : new URL(config.databaseUrl).host;
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

/** An expected problem is told in its own sentence; anything else is a bug and shows where it happened. */
function describeFailure(error: unknown): string {
  const isExpected = [ConfigError, DataFolderError, DatabaseError, EmbeddedPostgresError, StartError].some(
    (kind) => error instanceof kind,
  );
  if (!(error instanceof Error)) return String(error);
  return isExpected ? error.message : (error.stack ?? error.message);
}

function fail(error: unknown): never {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
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

try {
  const config = readConfig();
  const starting = startServer(config, { say, onFailure: fail });
  stopOnSignals(starting);
  const { version } = await starting;
  say(describeStart(config, version));
} catch (error) {
  fail(error);
}
