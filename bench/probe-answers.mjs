import { once } from 'node:events';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

// This thread asks over some connections for some time, the next time on each when the answer is there, and says how
// many answers came. Asking from it costs the server's thread nothing. It reads no more of an answer than where it
// ends.

const { port, path, headers, connections, durationMs } = workerData;
const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
  ([name, value]) => `${name}: ${value}`,
);
const request = [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
const END_OF_HEAD = '\r\n\r\n';
let endMs = Infinity;

async function ask(socket) {
  let answers = 0;
  let received = Buffer.alloc(0);
  socket.write(request);
  for await (const bytes of socket) {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    const headEnd = received.indexOf(END_OF_HEAD);
    if (headEnd < 0) continue;
    const head = received.toString('latin1', 0, headEnd);
    if (!/^HTTP\/1\.1 (?:200|304) /.test(head))
      throw new Error(`The server answered ${head.split('\r\n', 1)[0]}.`);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (received.length < headEnd + END_OF_HEAD.length + length) continue;
    received = Buffer.alloc(0);
    answers += 1;
    if (performance.now() > endMs) break;
    socket.write(request);
  }
  return answers;
}

const sockets = Array.from({ length: connections }, () =>
  connect({ port, host: '127.0.0.1', noDelay: true }),
);
await Promise.all(sockets.map((socket) => once(socket, 'connect')));
const startMs = performance.now();
endMs = startMs + durationMs;
const counts = await Promise.all(sockets.map(ask));
const answers = counts.reduce((sum, count) => sum + count, 0);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
parentPort.postMessage((answers * 1_000) / (performance.now() - startMs));
