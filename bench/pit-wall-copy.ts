import process from 'node:process';
import { openDatabase } from '#server/kernel/database/database.ts';
import { findPort, openBenchApp } from './serving.ts';

// One copy of the server, in a process of its own, for the benchmark of live sessions. It says where it listens, and what it used.

const [, , connectionString = ''] = process.argv;
const database = openDatabase(connectionString);
const { app } = await openBenchApp(database);
await app.listen({ host: '127.0.0.1', port: 0 });

let before = process.cpuUsage();
let largest = 0;
setInterval(() => {
  largest = Math.max(largest, process.memoryUsage().rss);
}, 250).unref();

process.on('message', (request) => {
  if (request === 'begin') {
    before = process.cpuUsage();
    largest = 0;
  } else {
    const { user, system } = process.cpuUsage(before);
    process.send?.({ cpuMs: (user + system) / 1000, memoryBytes: largest });
  }
});
process.send?.({ port: findPort(app) });
