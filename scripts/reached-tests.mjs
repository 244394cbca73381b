import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TESTED_FOLDERS = ['bench', 'contract', 'engine', 'scripts', 'server', 'web'];
const SOURCE = /\.(?:ts|tsx|mjs)$/;
/** Only `npm run test:all` runs the long tests. */
const TEST = /(?<!\.long)\.test\.tsx?$/;
const SPECIFIER = /(?:from|import)\s*\(?\s*'([#.][^']+)'/g;

/**
 * Finds the test files that changed files reach. Of the server, these are the tests of the same noun or folder, because nearly every test of
 * the server starts the whole application. Elsewhere they are the tests that import a changed file, directly or through others. Files that
 * nothing imports, such as data and pages of the documentation, reach the tests of the scripts.
 * @param {readonly string[]} changed paths from the project's folder, with `/`
 * @param {string} projectFolder
 * @returns {string[]}
 */
export function reachedTests(changed, projectFolder) {
  const sources = TESTED_FOLDERS.flatMap((folder) => sourcesBelow(folder, projectFolder));
  const reached = reachedFiles(
    changed.filter((path) => SOURCE.test(path)),
    listImporters(sources, projectFolder),
  );
  const serverRooms = new Set(changed.filter((path) => path.startsWith('server/')).map(serverRoom));
  const isOtherChanged = changed.some((path) => !SOURCE.test(path));
  return sources.filter((path) => {
    if (!TEST.test(path)) return false;
    if (path.startsWith('server/')) return serverRooms.has(serverRoom(path));
    return reached.has(path) || (isOtherChanged && path.startsWith('scripts/'));
  });
}

/** Returns the name that a noun has in the model and in the features, else the folder. */
function serverRoom(path) {
  const [, layer, room] = path.split('/');
  return ['model', 'features'].includes(layer) ? room : dirname(path);
}

function sourcesBelow(folder, projectFolder) {
  if (!existsSync(join(projectFolder, folder))) return [];
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => SOURCE.test(path))
    .toSorted();
}

function listImporters(sources, projectFolder) {
  const importers = new Map();
  for (const source of sources) {
    for (const [, specifier] of readFileSync(join(projectFolder, source), 'utf8').matchAll(SPECIFIER)) {
      const imported = specifier.startsWith('#')
        ? specifier.slice(1)
        : join(dirname(source), specifier).replaceAll('\\', '/');
      importers.set(imported, [...(importers.get(imported) ?? []), source]);
    }
  }
  return importers;
}

function reachedFiles(files, importers) {
  const reached = new Set(files);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return reached;
}
