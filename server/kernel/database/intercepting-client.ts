import { Client } from 'pg';

/** Sends a query as the driver does, with any of the parameters that it takes. */
export type SendQuery = (...parameters: unknown[]) => unknown;

/** A client of the driver whose subclasses say how a query is sent. */
export abstract class InterceptingClient extends Client {
  protected abstract intercept(send: SendQuery, parameters: readonly unknown[]): unknown;

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Stands for all overloads of the driver, which callers see.
  override query<Result>(...parameters: unknown[]): Result;
  override query(...parameters: unknown[]): unknown {
    return this.intercept(super.query.bind(this), parameters);
  }
}
