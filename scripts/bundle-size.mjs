// Prints the gzipped size of every chunk of the built web client, and fails when the entry has grown too large.
// The entry is everything that index.html loads before the first page: measured, one more 10 KiB costs about 0.1 s on a phone.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ENTRY_KIB_MAX = 105;

const folder = fileURLToPath(new URL('../dist/web/', import.meta.url));
const html = readFileSync(join(folder, 'index.html'), 'utf8');
const entryScripts = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path]) =>
  basename(path),
);

const sizes = readdirSync(join(folder, 'assets'))
  .filter((name) => /\.(?:js|css)$/.test(name))
  .map((name) => ({
    name,
    kib: gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length / 1024,
  }))
  .toSorted((a, b) => b.kib - a.kib);

for (const { name, kib } of sizes) {
  console.log(`${kib.toFixed(1).padStart(6)} KiB  ${name}${entryScripts.includes(name) ? '  (entry)' : ''}`);
}

const entryKib = sizes
  .filter(({ name }) => entryScripts.includes(name))
  .reduce((sum, { kib }) => sum + kib, 0);
console.log(`Entry: ${entryKib.toFixed(1)} KiB of at most ${ENTRY_KIB_MAX} KiB.`);
if (entryKib > ENTRY_KIB_MAX) {
  console.error('The entry is too large: load what the first page does not need lazily.');
  process.exitCode = 1;
}
