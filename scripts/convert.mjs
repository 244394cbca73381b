// `npm run convert -- FILE --to FORMAT` writes a lap file in another format. It works in a fresh clone, so it installs missing
// packages first.
import { runEngineCommand } from './engine-command.mjs';

process.exitCode = await runEngineCommand(async () => (await import('./convert.ts')).convert);
