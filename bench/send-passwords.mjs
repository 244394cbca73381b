import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Sends the bodies of each guest, some at once, until all are answered; in its own thread, so that it costs the server's thread nothing.

const { port, guests, atOnce } = workerData;
const agent = new Agent({ keepAlive: true });

function send(address, { path, body }) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const call = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    call.once('error', reject);
    call.end(JSON.stringify(body));
  });
}

const counts = {};
async function work({ address, calls }) {
  for (let call = calls.shift(); call; call = calls.shift()) {
    const status = await send(address, call);
    counts[status] = (counts[status] ?? 0) + 1;
  }
}

await Promise.all(guests.flatMap((guest) => Array.from({ length: atOnce }, () => work(guest))));
agent.destroy();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
parentPort.postMessage(counts);
