import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/kernel/config/config.ts';
import { StartError } from '#server/kernel/errors.ts';

// The server needs this long to end after the last request was cut off.
const CUT_OFF_MS = 300;
const IDLE_CHECK_INTERVAL_MS = 50;

/** Starts to take calls. @throws StartError which says why it cannot */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: () => `Listening on ${host}:${port}` });
  } catch (cause) {
    throw toListenError(cause, { host, port, setting: 'PORT' });
  }
}

export type ListenAddress = { host: string; port: number; setting: 'PORT' | 'METRICS_PORT' };

/** Explains why no server can listen on this host and port. */
export function toListenError(cause: unknown, address: ListenAddress): StartError {
  return new StartError(describeListenError(cause, address), { cause });
}

function describeListenError(error: unknown, { host, port, setting }: ListenAddress): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const hint = `Choose another port, for example ${setting}=${port + 1} npm start.`;
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program. ${hint}`;
  if (code === 'EACCES') return `This account may not listen on port ${port}. ${hint}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this computer.`;
  return `Pitboard cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * Takes no more calls and finishes those under way. A large upload over a slow line may be cut off before `patienceMs` have
 * passed; its client sees that it was not accepted.
 */
export async function closeApp(app: FastifyInstance, patienceMs: number): Promise<void> {
  // A connection that was busy when the server stopped listening would stay open for the next request, which never comes.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  const cutOff = setTimeout(() => app.server.closeAllConnections(), Math.max(0, patienceMs - CUT_OFF_MS));
  await app.close();
  clearInterval(closeIdle);
  clearTimeout(cutOff);
}
