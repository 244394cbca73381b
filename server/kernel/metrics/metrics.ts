import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { OpenDatabase } from '#server/kernel/database/database.ts';

/** Counts what a running server does, as Prometheus reads it. Nothing in it names a person. */
export type Metrics = {
  read: () => Promise<{ contentType: string; text: string }>;
  countSlowQuery: () => void;
  /** Times every call of `app`, by its route. */
  timeCalls: (app: FastifyInstance) => void;
  /** Tells, whenever it is read, what these do at that moment. */
  watch: (deps: WatchedDeps) => void;
};

export type WatchedDeps = {
  pools: { database: 'primary' | 'replica'; pool: OpenDatabase['pool'] }[];
  /** Lap files that are read now, and those that wait for it. */
  lapWorkers: () => { running: number; waiting: number };
};

// The buckets reach from a cached board to the upload of a large file; in seconds, as Prometheus wants them.
const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry }); // memory, processor, delay of the event loop
  const slowQueries = new Counter({
    name: 'pitboard_slow_queries_total',
    help: 'Database queries that took longer than the log allows.',
    registers,
  });
  return {
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    countSlowQuery: () => slowQueries.inc(),
    timeCalls: (app) => timeCalls(app, registry),
    watch: (parts) => watch(parts, registry),
  };
}

function timeCalls(app: FastifyInstance, registry: Registry): void {
  const calls = new Histogram({
    name: 'pitboard_http_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: CALL_SECONDS,
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    // The route and never the address: anybody can make up addresses, and each would be kept for ever.
    const route = request.routeOptions.url ?? 'unknown';
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    calls.observe(labels, reply.elapsedTime / 1000);
  });
}

function watch({ pools, lapWorkers }: WatchedDeps, registry: Registry): void {
  const connections = new Gauge({
    name: 'pitboard_database_connections',
    help: 'Connections to the database by what they do; waiting are queries that have none yet.',
    labelNames: ['database', 'state'],
    registers: [],
    collect() {
      for (const { database, pool } of pools) {
        this.set({ database, state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ database, state: 'idle' }, pool.idleCount);
        this.set({ database, state: 'waiting' }, pool.waitingCount);
      }
    },
  });
  const lapFiles = new Gauge({
    name: 'pitboard_lap_files',
    help: 'Lap files that are read now, and those that wait for it.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { running, waiting } = lapWorkers();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  registry.registerMetric(connections);
  registry.registerMetric(lapFiles);
}
