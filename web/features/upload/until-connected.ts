import { ApiError, LostConnectionError } from '#web/api/api-error.ts';

type ConnectionOptions = {
  signal: AbortSignal;
  /** Is called each time that the connection is lost. */
  onWaiting: () => void;
};

/** The message in the row of a file that waits. */
export const CONNECTION_LOST = 'The connection was lost. Going on when it is back…';

const PAUSES_MS = [1_000, 2_000, 5_000, 10_000];
// Proxies answer these while the server behind them starts. A 503 comes from the server itself, with a sentence.
const PASSING_STATUS = new Set([502, 504]);

/** Makes a call until its answer comes through: waits for the connection wherever it is lost. */
export async function untilConnected<Answer>(
  work: (attempt: number) => Promise<Answer>,
  { signal, onWaiting }: ConnectionOptions,
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (signal.aborted || !isConnectionLost(error)) throw error;
      onWaiting();
      await pause(PAUSES_MS[attempt] ?? 15_000, signal);
      signal.throwIfAborted();
    }
  }
}

function isConnectionLost(error: unknown): boolean {
  return (
    error instanceof LostConnectionError || (error instanceof ApiError && PASSING_STATUS.has(error.status))
  );
}

/** Ends sooner where the browser says that it is online again. */
function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, durationMs);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
