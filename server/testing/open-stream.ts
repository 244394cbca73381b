import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

/** A stream that a test reads, with what it has sent. */
export type ReadStream = {
  statusCode: number;
  /** Lists the data of the events of a name so far. */
  list: (event: string) => unknown[];
  isOpen: () => boolean;
  close: () => void;
};

/** Opens the event stream of a page. */
export async function openStream(
  fastify: FastifyInstance,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<ReadStream> {
  const response = await fastify.inject({
    url: `/api/stream${query}`,
    payloadAsStream: true,
    headers: { accept: 'text/event-stream', ...headers },
  });
  let text = '';
  let isOpen = response.statusCode === 200;
  const stream = response.stream();
  for (const end of ['end', 'close', 'error']) stream.once(end, () => (isOpen = false));
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    statusCode: response.statusCode,
    list: (event) =>
      text
        .split('\n\n')
        .filter((frame) => frame.startsWith(`event: ${event}\n`))
        .map((frame) => z.unknown().parse(JSON.parse(frame.slice(frame.indexOf('data: ') + 6)))),
    isOpen: () => isOpen,
    close: () => stream.destroy(),
  };
}
