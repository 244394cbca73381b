import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { devDemoBar } from '../scripts/dev-demo-bar.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;

export default defineConfig({
  root: folder('.'),
  plugins: [react(), devDemoBar(server)],
  build: {
    outDir: folder('../dist/web'),
    emptyOutDir: true,
    // Tells scripts/draw-pages.mjs the files of every page.
    manifest: true,
    // The first versions with light-dark(): older targets would get a longer style sheet for the same colours.
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // Every one of these browsers preloads modules by itself.
    modulePreload: { polyfill: false },
    // A font inlined into the style sheet would hold back the first paint.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              // What several pages share comes in one request instead of ten small ones.
              // What takes files or asks questions stays out: the pages that most visits begin with do without it.
              name: 'shared',
              test: /[\\/](?:web[\\/](?:ui|features[\\/]boards)|contract)[\\/](?!combobox|confirm|dialog|drop-zone|field|image|open-dialogs|progress|remove|retry)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    // The sources in web/api have addresses that begin like the API's, but end in .ts.
    proxy: { '^/api/(?!.*\\.tsx?($|\\?))': server, '/oidc': server },
  },
});
