import prefresh from '@prefresh/vite';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Rolldown } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;

const SHARED =
  /[\\/](?:web[\\/](?:api|ui|shell|features[\\/](?:boards|lap-view[\\/]lap-url))|contract|engine)(?![\\/](?:combobox|drop-zone|passkey))/;

/** Forms, tabs and tables that no board shows; the search for cars has the field of the search for tracks in it. */
const SETTINGS =
  /[\\/]web[\\/](?:features[\\/](?:garage[\\/](?!car-search)|profile[\\/])|shell[\\/]admin-only|ui[\\/](?:admin|club-fields|image|mail-fields|new-password|pager|remove-image|switch|tabs))/;

/** The engine's timing, which only a drive and the check of a time bring into the browser's main thread. */
const TIMING =
  /[\\/]engine[\\/](?:live|receivers|trace|validity|matching|plausibility|timing[\\/](?!laps\.)|comparison[\\/](?!integer-columns)|recording[\\/](?!recording-format))/;

function isShared(module: string): boolean {
  return SHARED.test(module) && !SETTINGS.test(module) && !TIMING.test(module);
}

const importsOf = new Map<string, Set<string>>();

/** Makes a chunk of what a module imports, itself or by others, and at least one more page as well. */
function sharedBy(entry: string, chunk: { name: string; priority: number }) {
  return {
    name: (module: string, context: Rolldown.ChunkingContext) => {
      const imports = importsOf.get(entry) ?? listImports(entry, context);
      importsOf.set(entry, imports);
      return imports.has(module) ? chunk.name : null;
    },
    minShareCount: 2,
    priority: chunk.priority,
  };
}

function listImports(entry: string, context: Rolldown.ChunkingContext): Set<string> {
  const modules = new Set([folder(entry)]);
  for (const module of modules) {
    for (const imported of context.getModuleInfo(module)?.importedIds ?? []) modules.add(imported);
  }
  return modules;
}

export default defineConfig({
  root: folder('.'),
  plugins: [await prefresh()],
  // Sources import React's names, which package.json takes from Preact.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: folder('../dist/web'),
    emptyOutDir: true,
    // The server reads the files of every page from the manifest.
    manifest: true,
    // These are the first versions with light-dark(): older targets would get a longer style sheet for the same
    // colours.
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // Every one of these browsers preloads modules by itself.
    modulePreload: { polyfill: false },
    // A font inlined into the style sheet would delay the first paint.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The entry chunk holds everything that is needed before a page.
            { name: 'index', test: /[\\/]web[\\/]main\.tsx$/, priority: 6 },
            // Modules that several pages share come in few requests instead of many small ones: those of a board, which most
            // visitors open first, those of a lap, and the forms of people who have signed in. Large modules stay separate.
            sharedBy('pages/track.tsx', { name: 'board', priority: 5 }),
            { name: 'icons', test: /[\\/]lucide-react[\\/]/, minShareCount: 2, priority: 4 },
            sharedBy('features/lap-view/lap-view.tsx', { name: 'lap', priority: 3 }),
            { name: 'shared', test: isShared, minShareCount: 2, priority: 2 },
            { name: 'timing', test: TIMING, minShareCount: 2, priority: 2 },
            { name: 'settings', test: SETTINGS, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  // The server renders pages without external packages.
  ssr: { noExternal: true },
  server: {
    // The sources in web/api have URLs that begin like the API's, but end in .ts.
    proxy: { '^/api/(?!.*\\.tsx?($|\\?))': server, '/oidc': server },
  },
});
