import { setTimeout as delay } from 'node:timers/promises';

/** A worker file for tests: does nothing for as long as it is told. */
export async function rest({ restMs }: { restMs: number }): Promise<number> {
  await delay(restMs);
  return restMs;
}
