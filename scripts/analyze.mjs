// `npm run analyze -- FILE` runs the engine on one lap file. It works in a fresh clone, so it installs missing packages first.
import { runEngineCommand } from './engine-command.mjs';

process.exitCode = await runEngineCommand(async () => (await import('./analyze.ts')).analyze);
