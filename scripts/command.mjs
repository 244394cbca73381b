import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

// `npm run admin`, `demo`, `retime`, `tracks`, `migrate-data` and `distribute`: a command of server/commands, on whatever a fresh clone has or lacks.

const [name] = process.argv.splice(2, 1);

ensureInstalled();
ensureBuilt();
process.setSourceMapsEnabled(true);
await import(`../dist/server/commands/${name}-command.js`);
