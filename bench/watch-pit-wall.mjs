import { request } from 'node:http';
import process from 'node:process';

// Holds the streams of those who watch a live session. Some of them read every position and record when it came; all count bytes.

const { ports, watchers, readers, code } = JSON.parse(process.argv[2]);
const arrivals = [];
let bytes = 0;
let open = 0;
let ended = 0;

const read = (index, text) => {
  const at = performance.timeOrigin + performance.now();
  for (const frame of text.split('\n\n')) {
    const [name, data] = frame.split('\ndata: ');
    if (name !== 'event: live-moves') continue;
    for (const [number, lat, lon] of JSON.parse(data)) arrivals.push([index, `${number} ${lat} ${lon}`, at]);
  }
};

const watch = (index) =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        port: ports[index % ports.length],
        path: `/api/stream?live=${code}`,
        agent: false,
        // Each has an address of its own behind a proxy, as on a phone.
        headers: { accept: 'text/event-stream', 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` },
      },
      (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`A stream got ${answer.statusCode}.`));
        open += 1;
        let rest = '';
        answer.on('data', (chunk) => {
          bytes += chunk.length;
          if (index >= readers) return;
          rest += chunk;
          const end = rest.lastIndexOf('\n\n');
          if (end < 0) return;
          read(index, rest.slice(0, end));
          rest = rest.slice(end + 2);
        });
        answer.on('end', () => (ended += 1));
        return resolve();
      },
    );
    sent.on('error', reject);
    sent.end();
  });

for (let from = 0; from < watchers; from += 50)
  await Promise.all(Array.from({ length: Math.min(50, watchers - from) }, (_, index) => watch(from + index)));
process.send('open');
process.on('message', (message) => {
  if (message === 'begin') {
    arrivals.length = 0;
    bytes = 0;
  } else process.send({ arrivals, bytes, open, ended });
});
