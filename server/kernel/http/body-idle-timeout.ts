import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export type TransferLimits = {
  /** How often each transfer is looked at. */
  intervalMs: number;
  /** What has to move in that time while there is something to send or to receive. */
  bytesMin: number;
  /** From the beginning of a request to the end of its answer. */
  totalMs: number;
};

// Node counts a piece of an answer once it has gone as a whole, and some pieces are large.
const STALLED_SENDS_MAX = 3;

/**
 * Ends connections over which a body or an answer trickles: otherwise anybody could hold connections and half files for ever.
 * Silent headers are Node's own matter; the server's own work between body and answer may take its time.
 */
export function limitBodyIdleTime(app: FastifyInstance, limits: TransferLimits): void {
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const startMs = performance.now();
    let seen = countMoved(socket);
    let stalledSends = 0;
    const timer = setInterval(() => {
      const now = countMoved(socket);
      const moved = { read: now.read - seen.read, written: now.written - seen.written };
      seen = now;
      const isReceiving = !request.complete && !response.writableEnded;
      const isSending = response.headersSent && socket.writableLength > 0;
      stalledSends = isSending && moved.written < limits.bytesMin ? stalledSends + 1 : 0;
      const isTrickling = (isReceiving && moved.read < limits.bytesMin) || stalledSends >= STALLED_SENDS_MAX;
      if (isTrickling || performance.now() - startMs > limits.totalMs) socket.destroy();
    }, limits.intervalMs).unref();
    response.once('close', () => clearInterval(timer));
  });
}

/** Bytes that have come, and those that have left for the network: `bytesWritten` counts what waits as well. */
function countMoved({ bytesRead, bytesWritten, writableLength }: Socket): { read: number; written: number } {
  return { read: bytesRead, written: bytesWritten - writableLength };
}
