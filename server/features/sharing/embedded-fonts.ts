import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The URLs of the letters of the built web client; null where it is not built. */
export type EmbeddedFonts = { text: string | null; display: string | null };

const FOLDER = 'assets';

/** Finds the letters, whose names have a hash of their content, in the folder of the built web client. */
export function findEmbeddedFonts(webFolder: string): EmbeddedFonts {
  const folder = join(webFolder, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.woff2')) : [];
  const find = (start: string) => {
    const name = names.find((name) => name.startsWith(start));
    return name === undefined ? null : `/${FOLDER}/${name}`;
  };
  return { text: find('archivo-text-'), display: find('archivo-display-') };
}
