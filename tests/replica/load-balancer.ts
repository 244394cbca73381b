import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '#server/kernel/process/free-port.ts';

/** One address for several copies of the server. */
export type LoadBalancer = {
  url: string;
  /** Ports of the copies that say they are ready. */
  readyPorts: () => number[];
  /** How many requests each port was given. */
  counts: ReadonlyMap<number, number>;
  close: () => Promise<void>;
};

const CHECK_INTERVAL_MS = 200;

/**
 * Sends each request to the next copy that is ready by `/api/ready`, over connections that are kept. It never tries a request
 * twice: what fails at a copy fails for who asked.
 */
export async function startLoadBalancer(ports: readonly number[]): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<number>();
  const counts = new Map(ports.map((port) => [port, 0]));
  const closing = new AbortController();
  let turn = 0;

  const checks = ports.map(async (port) => {
    while (!closing.signal.aborted) {
      const isReady = await fetch(`http://127.0.0.1:${port}/api/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) ready.add(port);
      else ready.delete(port);
      await sleep(CHECK_INTERVAL_MS);
    }
  });
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const choice = [...ready].toSorted((a, b) => a - b);
    const port = choice[turn++ % Math.max(1, choice.length)];
    const fail = (reason: string): void => void outgoing.writeHead(502).end(reason);
    if (port === undefined) return fail('No copy is ready.');
    counts.set(port, (counts.get(port) ?? 0) + 1);
    const { method, url: path, headers } = incoming;
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', (error) => fail(`The copy at ${port}: ${error.message}`));
    incoming.pipe(sent);
  };
  const port = await findFreePort();
  const server = createServer(forward).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${port}`,
    readyPorts: () => [...ready],
    counts,
    close: async () => {
      closing.abort();
      await Promise.all(checks);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
