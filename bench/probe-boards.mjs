import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// Requests boards until its parent stops it; in its own thread, so that other work of the benchmark does not slow it.

const { urls, connections, pauseMs } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const timesMs = [];
const ending = new AbortController();
parentPort.once('message', () => ending.abort());

async function ask(first) {
  for (let turn = first; !ending.signal.aborted; turn++) {
    const startMs = performance.now();
    const [response] = await once(get(urls[turn % urls.length], { agent }), 'response');
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`A board answered ${response.statusCode}.`);
    timesMs.push(performance.now() - startMs);
    await wait(pauseMs);
  }
}

await Promise.all(Array.from({ length: connections }, (_, index) => ask(index)));
agent.destroy();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
parentPort.postMessage(timesMs);
