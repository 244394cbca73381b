// Prints the gzipped size of every chunk of the built web client, and fails when the entry has grown too large.
// The entry is everything that index.html loads before the first page: measured, one more 10 KiB costs about 0.1 s on a phone.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ENTRY_KIB_MAX = 50;

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

// The code of videos and clips must load with the first video or clip, so neither the first page nor the lap view may import it.
const LAP_VIEW = 'features/lap-view/lap-view.tsx';
const VIDEO = 'features/lap-view/video/video-panel.tsx';
const CLIP = 'features/lap-view/video/make-clip.ts';

const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
const firstPage = new Set(
  Object.keys(manifest).filter((key) => entryScripts.includes(basename(manifest[key].file))),
);
const [lapView, withVideo, withClip] = [LAP_VIEW, VIDEO, CLIP].map((chunk) => listImported(chunk));
printWeight('Lap view, beyond the first page', firstPage, lapView);
printWeight('Video, beyond the lap view', lapView, withVideo);
printWeight('Clip, beyond the video', withVideo, withClip);
for (const lazy of [VIDEO, CLIP]) {
  if (!lapView.has(lazy) && !firstPage.has(lazy)) continue;
  console.error(`${lazy} loads without a video: import it when there is one.`);
  process.exitCode = 1;
}

/** Lists the chunks that the browser loads before it runs this one, which is among them. */
function listImported(chunk, found = new Set()) {
  if (found.has(chunk)) return found;
  found.add(chunk);
  const { imports = [] } = manifest[chunk];
  for (const imported of imports) listImported(imported, found);
  return found;
}

/** Prints how much more the browser loads for `after` than it has after `before`. */
function printWeight(name, before, after) {
  const files = new Set(
    [...after].filter((chunk) => !before.has(chunk)).map((chunk) => basename(manifest[chunk].file)),
  );
  const kib = sizes.filter((one) => files.has(one.name)).reduce((sum, one) => sum + one.kib, 0);
  console.log(`${name}: ${kib.toFixed(1)} KiB.`);
}
