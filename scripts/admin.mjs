import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

// `npm run admin -- grant EMAIL | revoke EMAIL | list`

ensureInstalled();
ensureBuilt();
process.setSourceMapsEnabled(true);
await import('../dist/server/admin-command.js');
