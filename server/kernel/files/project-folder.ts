import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder that holds package.json: the same one for the sources and for the built files under dist. */
export const projectFolder = findProjectFolder(dirname(fileURLToPath(import.meta.url)));

/** The folder of the built web client; what renders its pages on the server is in `web-server`, next to it. */
export const webFolder = join(projectFolder, 'dist', 'web');

/**
 * The address of a file of the server by its name without an ending ('model/laps/timing/lap-worker'):
 * the built one when this process runs built code, the source otherwise. For worker threads, which start from a file.
 */
export function serverFile(name: string): URL {
  const builtFolder = join(projectFolder, 'dist', 'server');
  const isBuilt = fileURLToPath(import.meta.url).startsWith(builtFolder);
  return pathToFileURL(
    isBuilt ? join(builtFolder, `${name}.js`) : join(projectFolder, 'server', `${name}.ts`),
  );
}

function findProjectFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('No package.json above the server’s own files.');
  return findProjectFolder(parent);
}
