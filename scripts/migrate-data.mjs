import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

// `npm run migrate-data -- --to postgresql://user:password@host/database`

ensureInstalled();
ensureBuilt();
process.setSourceMapsEnabled(true);
await import('../dist/server/migrate-data-command.js');
