import type { PoolClient } from 'pg';

/** Called after each query with its text, without its values, how long it took, and the error that it ended with. */
export type OnQuery = (text: string, ms: number, error?: unknown) => void;

const TEXT_CHARACTERS_MAX = 300;

/** Times every query of a connection, from being sent to being answered. */
export function watchQueries(client: PoolClient, onQuery: OnQuery): void {
  const query: (...parameters: unknown[]) => unknown = client.query.bind(client);
  const timed = (...parameters: unknown[]): unknown => {
    const startMs = performance.now();
    const tell = (error?: unknown): void =>
      onQuery(readQueryText(parameters[0]), performance.now() - startMs, error);
    const callback = parameters.at(-1);
    if (typeof callback === 'function') {
      const tellAndCall = (...results: unknown[]): void => {
        tell(results[0] ?? undefined);
        callback(...results);
      };
      return query(...parameters.slice(0, -1), tellAndCall);
    }
    const result = query(...parameters);
    if (result instanceof Promise) result.then(() => tell(), tell);
    return result;
  };
  Object.assign(client, { query: timed });
}

/** The name of a query where it has one, else the beginning of its text; values are never part of it. */
function readQueryText(query: unknown): string {
  if (typeof query === 'string') return query.slice(0, TEXT_CHARACTERS_MAX);
  if (typeof query !== 'object' || query === null) return 'unknown';
  if ('name' in query && typeof query.name === 'string') return query.name;
  return 'text' in query && typeof query.text === 'string' ? readQueryText(query.text) : 'unknown';
}
