import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// The page that records a drive works without a network: the service worker keeps the files that this list names.

/** A chunk that one of these names holds loads another part of the page later; other pages are left out. */
const LATER = /^(?:features\/(?:drive|live)|shell|ui)\//;
const WORKER = /assets\/[\w.-]*worker[\w.-]*\.js/g;

/**
 * Lists the files of the page of a drive from Vite's manifest: its chunks, what they import and load later, their styles and fonts, and
 * the workers that they start.
 * @param {Record<string, { file: string, css?: string[], assets?: string[], imports?: string[], dynamicImports?: string[] }>} manifest
 * @param {(file: string) => string} read gives the text of a built file
 * @returns {string[]} paths on the server, in order
 */
export function listDriveFiles(manifest, read) {
  const files = new Set();
  const seen = new Set();
  const add = (key) => {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) return;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(`/${file}`);
    for (const [worker] of read(chunk.file).matchAll(WORKER)) files.add(`/${worker}`);
    for (const name of chunk.imports ?? []) add(name);
    for (const name of chunk.dynamicImports ?? []) if (LATER.test(name)) add(name);
  };
  for (const key of ['index.html', 'pages/drive.tsx']) add(key);
  return [...files].toSorted((a, b) => (a < b ? -1 : 1));
}

/** Writes the list into a built web client, with a version that changes with every file. */
export function writeDriveFiles(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
  const files = listDriveFiles(manifest, (file) => readFileSync(join(folder, file), 'utf8'));
  const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 16);
  writeFileSync(join(folder, 'drive-files.json'), JSON.stringify({ version, files }));
}
