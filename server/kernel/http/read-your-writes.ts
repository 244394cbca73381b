import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { signInEndpoints } from '#contract/users.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { READING_METHODS } from './safe-methods.ts';

// A timer may come a millisecond early.
const TIMER_EARLY_MS = 1;

/**
 * Sees to it that nobody is told that a change is done before everybody can see it: drivers find what a call of theirs has
 * changed wherever they read from then on, and no copy of the server uses a board version from before it, which is good for
 * `boardLeaseMs`.
 */
export function noteChanges(app: FastifyInstance, database: OpenDatabase, boardLeaseMs: number): void {
  app.addHook('onRoute', (route) => {
    if (mayChange(route)) route.onSend = [route.onSend ?? [], note].flat();
  });

  async function note({ viewer }: FastifyRequest, { statusCode }: FastifyReply): Promise<void> {
    if (statusCode >= 400) return;
    if (viewer) await database.noteChange(viewer.id);
    if (boardLeaseMs > 0) await sleep(boardLeaseMs + TIMER_EARLY_MS);
  }
}

/** A sign-in brings a new name, and its last step is a page that the browser asks for. */
function mayChange({ method, url }: RouteOptions): boolean {
  return url === signInEndpoints.callback.path || [method].flat().some((name) => !READING_METHODS.has(name));
}
