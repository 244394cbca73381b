import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

// `npm run demo -- remove`

ensureInstalled();
ensureBuilt();
process.setSourceMapsEnabled(true);
await import('../dist/server/demo-command.js');
