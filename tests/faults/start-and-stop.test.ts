import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { signIn } from './client.ts';
import { expectHealthy, listProcessesOf, onLinux, until } from './processes.ts';

let dataFolder: string;
let pitboard: Pitboard | undefined;

// The first start fills the folder, which takes seconds; the others find it as the test before has left it.
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'pitboard-faults-'));
});
afterEach(async () => void (await pitboard?.stop()));
afterAll(() => rm(dataFolder, { recursive: true, force: true }));

onLinux('a stopped server leaves no process, exits well and starts again on its data', async () => {
  pitboard = await startPitboard({ dataFolder });
  expect(await pitboard.stop()).toBe(0);
  await until(async () => (await listProcessesOf(dataFolder)).length === 0);
  expect(await readdir(dataFolder)).not.toContain('running.json');
  pitboard = await pitboard.restart();
  await expectHealthy(pitboard);
});

test('a request under way is finished before the server stops', async () => {
  pitboard = await startPitboard({ dataFolder });
  const { url, output } = pitboard;
  const cookie = await signIn(url, 'theo.okafor');
  const body = Buffer.from(
    [
      '--edge',
      'Content-Disposition: form-data; name="file"; filename="no-laps.txt"',
      '',
      'nothing '.repeat(2_000),
      '--edge--',
      '',
    ].join('\r\n'),
  );
  const half = Math.floor(body.length / 2);
  const sending = request(`${url}/api/analyze-gps`, {
    method: 'POST',
    headers: {
      cookie,
      origin: url,
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': body.length,
    },
  });
  sending.write(body.subarray(0, half));
  await until(async () => (await readdir(join(dataFolder, 'incoming'))).length > 0);
  const stopping = pitboard.stop();
  await until(() => output().includes('Stopping'));
  sending.end(body.subarray(half));
  const [response]: IncomingMessage[] = await once(sending, 'response');
  expect(response?.statusCode).toBe(200);
  expect(await stopping).toBe(0);
});

test('a second start on the same folder is refused in one sentence and leaves the first alone', async () => {
  pitboard = await startPitboard({ dataFolder });
  const { processId, url } = pitboard;
  await expect(startPitboard({ dataFolder })).rejects.toThrow(
    `Pitboard is already running on ${dataFolder}: process ${processId} at ${url}. Stop it first, or name another folder in PITBOARD_DATA.\n`,
  );
  await expectHealthy(pitboard);
});

test('the server reports a taken port in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(startPitboard({ dataFolder, port })).rejects.toThrow(
    `Port ${port} is in use by another program. Choose another port, for example PORT=${port + 1} npm start.\n`,
  );
  other.close();
});
