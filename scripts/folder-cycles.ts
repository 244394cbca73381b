import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

// `npm run lint` runs this check: the files and subfolders of a folder have an order in which each imports only earlier ones.
// Only then can a folder be read, tested or removed without the rest. Tests may import anything.

/** The text of each source file, by its path with `/` between folders. */
export type Sources = ReadonlyMap<string, string>;

/** The paths of a loop, each of which imports the next, and the files through which the last imports the first. */
export type FolderCycle = { loop: string[]; imports: string[] };

const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g;
const LAYER = /^#(?=(?:engine|contract|server|web)\/)/;

/** Finds one loop for each group of files and folders that import each other. */
export function findFolderCycles(sources: Sources): FolderCycle[] {
  const graph: Graph = new Map();
  for (const [file, text] of sources) {
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = resolve(file, specifier);
      if (target !== null && target !== file && sources.has(target)) addImport(graph, file, target);
    }
  }
  const cycles: FolderCycle[] = [];
  const seen = new Set<string>();
  for (const start of graph.keys()) {
    const loop = seen.has(start) ? null : findLoop(graph, start);
    if (loop === null) continue;
    for (const node of loop) seen.add(node);
    const imports = loop.map(
      (node, index) => graph.get(node)?.get(loop[(index + 1) % loop.length] ?? '') ?? '',
    );
    cycles.push({ loop, imports });
  }
  return cycles;
}

/** The graph has the imports of each file or folder among its siblings, with one import as an example. */
type Graph = Map<string, Map<string, string>>;

function resolve(file: string, specifier: string): string | null {
  if (LAYER.test(specifier)) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : null;
}

/** Adds an import at the point where the two paths part: there, one sibling imports another. */
function addImport(graph: Graph, file: string, target: string): void {
  const [from, to] = [file.split('/'), target.split('/')];
  const depth = from.findIndex((name, index) => name !== to[index]);
  const [node, imported] = [from, to].map((names) => names.slice(0, depth + 1).join('/'));
  if (node === undefined || imported === undefined) return;
  const imports = graph.get(node) ?? new Map<string, string>();
  if (!imports.has(imported)) imports.set(imported, `${file} imports ${target}`);
  graph.set(node, imports);
}

/** Finds the shortest loop through `start`; null where there is none. */
function findLoop(graph: Graph, start: string): string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node)?.keys() ?? []) {
      if (next === start) return walkBack(cameFrom, start, node);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return null;
}

function walkBack(cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const loop = [end];
  for (let node = end; node !== start; loop.unshift(node)) node = cameFrom.get(node) ?? start;
  return loop;
}

const LAYERS = ['engine', 'contract', 'server', 'web'];
const IS_TEST = /\.test\.tsx?$|\/testing\//;

/** Reads the sources of the four layers, without tests. */
export function readSources(projectFolder: string): Sources {
  const files = LAYERS.flatMap((layer) =>
    readdirSync(posix.join(projectFolder, layer), { recursive: true, encoding: 'utf8' }).map((file) =>
      `${layer}/${file}`.replaceAll('\\', '/'),
    ),
  );
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !IS_TEST.test(file)).toSorted();
  return new Map(sources.map((file) => [file, readFileSync(posix.join(projectFolder, file), 'utf8')]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cycles = findFolderCycles(readSources(fileURLToPath(new URL('..', import.meta.url))));
  for (const { loop, imports } of cycles) {
    console.error(`These import each other: ${loop.join(' → ')} → ${loop[0]}\n  ${imports.join('\n  ')}`);
  }
  process.exitCode = cycles.length === 0 ? 0 : 1;
}
