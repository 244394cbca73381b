import type { Client } from 'pg';
import { recordConnectionError } from './database-unavailable.ts';
import { InterceptingClient, type SendQuery } from './intercepting-client.ts';

/** Called after each query with its name or text, without its values, how long it took, and the error that it ended with. */
export type OnQuery = (text: string, ms: number, error?: unknown) => void;

/** A connection that times its queries and marks its errors as those of a database. */
export class WatchedClient extends InterceptingClient {
  onQuery: OnQuery = () => undefined;

  /** True behind a pooler: statements lose their names, which the session of the next statement would not know. */
  isBehindPooler = false;

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | void {
    if (!callback) return super.connect();
    super.connect((error: Error) => {
      recordConnectionError(error);
      callback(error);
    });
  }

  protected override intercept(send: SendQuery, [statement, ...others]: readonly unknown[]): unknown {
    const sent = this.isBehindPooler ? withoutName(statement) : statement;
    const startMs = performance.now();
    const report = (error?: unknown): void => {
      recordConnectionError(error);
      this.onQuery(readQueryText(statement), performance.now() - startMs, error);
    };
    const callback = others.at(-1);
    if (typeof callback === 'function') {
      const reportAndCall = (...results: unknown[]): void => {
        report(results[0] ?? undefined);
        callback(...results);
      };
      return send(sent, ...others.slice(0, -1), reportAndCall);
    }
    const result = send(sent, ...others);
    if (result instanceof Promise) result.then(() => report(), report);
    return result;
  }
}

function withoutName(statement: unknown): unknown {
  // A statement with a `submit` of its own, such as a stream, has no name.
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return statement;
  return { ...statement, name: undefined };
}

const TEXT_CHARACTERS_MAX = 300;

function readQueryText(query: unknown): string {
  if (typeof query === 'string') return query.slice(0, TEXT_CHARACTERS_MAX);
  if (typeof query !== 'object' || query === null) return 'unknown';
  if ('name' in query && typeof query.name === 'string') return query.name;
  return 'text' in query && typeof query.text === 'string' ? readQueryText(query.text) : 'unknown';
}
