import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestApp } from '#server/testing/test-app.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { serveMetrics } from './serve-metrics.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';

let metrics: Metrics;
const app = useTestApp(async () => {
  metrics = openMetrics();
  return { metrics };
});
const guest = app.asGuest();
let port: number;
let closeMetrics: () => Promise<void>;

beforeAll(async () => {
  metrics.watch({
    pools: [{ database: 'primary', pool: app.database.pool }],
    lapWorkers: () => ({ running: 2, waiting: 5 }),
  });
  port = await findFreePort();
  closeMetrics = await serveMetrics(metrics, { host: '127.0.0.1', port });
});

afterAll(async () => {
  await closeMetrics();
});

test('calls are counted by their route, never by their URL', async () => {
  await guest.get('/api/tracks/no-such-track');
  await guest.get('/api/anything/anybody/makes/up');
  const text = await readMetrics();
  expect(text).toMatch(/request_seconds_count\{method="GET",route="\/api\/tracks\/:\w+",status="404"\} 1/);
  expect(text).not.toContain('no-such-track');
  expect(text).not.toContain('anybody');
});

test('metrics show connections, lap files, slow queries and the event loop', async () => {
  await guest.get('/api/tracks');
  metrics.countSlowQuery();
  const text = await readMetrics();
  expect(text).toMatch(/pitboard_database_connections\{database="primary",state="idle"\} [1-9]/);
  expect(text).toContain('pitboard_lap_files{state="waiting"} 5');
  expect(text).toContain('pitboard_slow_queries_total 1');
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
});

test('the site itself does not serve them, and their port serves nothing else', async () => {
  expect((await guest.get('/metrics')).body).not.toContain('pitboard_http_request_seconds');
  expect((await fetch(`http://127.0.0.1:${port}/api/tracks`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
});

test('the error for a taken port names its own setting', async () => {
  await expect(serveMetrics(metrics, { host: '127.0.0.1', port })).rejects.toThrow(
    `Port ${port} is in use by another program. Choose another port, for example METRICS_PORT=${port + 1} npm start.`,
  );
});

async function readMetrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}
