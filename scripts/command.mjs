import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

// `npm run admin`, `demo`, `retime`, `tracks`, `migrate-data` and `distribute` run a command of server/commands, also in a
// fresh clone.

const [name] = process.argv.splice(2, 1);

ensureInstalled();
ensureBuilt();
process.setSourceMapsEnabled(true);
await import(`../dist/server/commands/${name}-command.js`);
