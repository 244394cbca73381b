import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportedDeclarations } from './exported-declarations.ts';
import type { ExportedDeclaration } from './exported-declarations.ts';

/** A module of the engine and what it exports. */
export type EngineModule = {
  /** From the project's folder: `engine/timing/laps.ts`. */
  path: string;
  /** The doc comment before the imports, which describes the module as a whole; null where there is none. */
  comment: string | null;
  declarations: ExportedDeclaration[];
};

/** What others may build on, in the order of reading. Everything else in `engine/` may change without notice. */
export const PUBLIC_MODULES = [
  'engine/time-lap-file.ts',
  'engine/lap-file.ts',
  'engine/timing/laps.ts',
  'engine/lap-time.ts',
  'engine/timing/best-sectors.ts',
  'engine/comparison/compare-laps.ts',
  'engine/comparison/lap-trace.ts',
  'engine/matching/match-tracks.ts',
  'engine/track.ts',
  'engine/timing-line.ts',
  'engine/trace/trace.ts',
  'engine/fix-columns.ts',
  'engine/geo.ts',
  'engine/engine-version.ts',
  'engine/simulation/drive.ts',
];

/** Every module of the engine in `projectFolder` except tests, in the order of their paths. */
export function engineModules(projectFolder: string): EngineModule[] {
  return readdirSync(join(projectFolder, 'engine'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(path))
    .map((path) => `engine/${path.replaceAll('\\', '/')}`)
    .toSorted()
    .map((path) => {
      const source = readFileSync(join(projectFolder, path), 'utf8');
      const comment = moduleComment(source);
      const declarations = exportedDeclarations(path, source).map((declaration) => ({
        ...declaration,
        // The comment on top of a format's file describes the format itself.
        comment: declaration.comment ?? (/: LapFileFormat\b/.test(declaration.signature) ? comment : null),
      }));
      return { path, comment, declarations };
    });
}

function moduleComment(source: string): string | null {
  const text = /^\/\*\*([\s\S]*?)\*\/\s*(?:\n\s*)?import\b/.exec(source)?.[1];
  return text === undefined ? null : text.replaceAll(/^\s*\* ?/gm, '').trim();
}
