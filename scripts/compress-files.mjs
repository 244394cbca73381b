import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(?:js|css)$/;

/**
 * Writes compressed copies beside the scripts and styles of a folder, at the highest level: a server that compresses each
 * response by itself has no time for that. `.br` is for all browsers over HTTPS, `.gz` for those over plain HTTP.
 */
export async function compressFiles(folder) {
  const paths = readdirSync(folder)
    .filter((name) => COMPRESSIBLE.test(name))
    .map((name) => join(folder, name));
  await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path);
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content));
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}
