import { register } from 'node:module';

// `node --import ./tests/load-sources.mjs` runs the TypeScript sources of all layers, screens among them.
register('./source-hooks.mjs', import.meta.url);
