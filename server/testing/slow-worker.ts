import { setTimeout as delay } from 'node:timers/promises';

/** A worker file for tests: waits for `restMs`. */
export async function rest({ restMs }: { restMs: number }): Promise<number> {
  await delay(restMs);
  return restMs;
}
