import { readConfig, type Config } from '#server/kernel/config/config.ts';
import { startServer, type StartedServer, STOP_MS } from '#server/start-server.ts';
import { fail, outliveTerminal, print } from '#server/kernel/process/terminal.ts';

/** The server's process reads the settings, starts, prints messages at the terminal, and stops on a signal. */

// npm passes on a Ctrl-C that the terminal has already sent: two signals this close are one.
const SAME_SIGNAL_MS = 500;

function describeStart(config: Config, version: string): string {
  const database = config.databaseUrl === null ? `in ${config.dataFolder}` : describeHost(config.databaseUrl);
  return [
    '',
    `Pitboard ${version} is running. Open ${config.publicUrl} in a browser.`,
    '',
    `  Data      ${database}`,
    `  Sign-in   ${describeSignIn(config)}`,
    `  Settings  environment variables, see docs/operations.md`,
    '',
    'Ctrl-C stops it.',
  ].join('\n');
}

function describeSignIn({ oidc, hasOwnAccounts }: Config): string {
  const ways = [
    ...(hasOwnAccounts ? ['accounts of this server'] : []),
    ...(oidc ? [`with ${oidc.name}`] : []),
  ];
  return ways.length === 0 ? 'local accounts, for this computer only' : ways.join(', or ');
}

function describeSetUp({ link, file }: NonNullable<StartedServer['setUp']>): string {
  return [
    '',
    'This site has no owner yet. Open this link to make your account and name the club:',
    '',
    `  ${link}`,
    '',
    `It works once, for 24 hours, and is in ${file} too. A restart makes a new one.`,
  ].join('\n');
}

/** Describes the location of a database. `URL` does not parse a connection string with a socket, which has no host. */
function describeHost(databaseUrl: string): string {
  const host = URL.canParse(databaseUrl) ? new URL(databaseUrl).host : '';
  return host === '' ? 'PostgreSQL on this computer' : host;
}

function stopOnSignals(starting: Promise<StartedServer>, drainMs: number): void {
  let firstSignalMs: number | null = null;
  const onSignal = (): void => {
    const nowMs = Date.now();
    if (firstSignalMs === null) {
      firstSignalMs = nowMs;
      void stop(starting, drainMs);
    } else if (nowMs - firstSignalMs > SAME_SIGNAL_MS) {
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

async function stop(starting: Promise<StartedServer>, drainMs: number): Promise<void> {
  print('Stopping …');
  // Every step has a limit of its own; this one holds for a start that waits for a database, too.
  setTimeout(() => {
    print('Stopped without waiting any longer.');
    process.exit(1);
  }, drainMs + STOP_MS);
  try {
    await (await starting).stop();
  } catch (error) {
    fail(error);
  }
  print('Stopped.');
  process.exit(0);
}

outliveTerminal();
try {
  const config = readConfig();
  const starting = startServer(config, { print, onFailure: fail });
  stopOnSignals(starting, config.drainMs);
  const { version, setUp } = await starting;
  print(describeStart(config, version));
  if (setUp) print(describeSetUp(setUp));
} catch (error) {
  fail(error);
}
