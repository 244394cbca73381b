import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

// `npm run retime -- [--track ID] [--dry-run]`

ensureInstalled();
ensureBuilt();
process.setSourceMapsEnabled(true);
await import('../dist/server/retime-command.js');
