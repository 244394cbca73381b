// `npm run compare -- FILE_A FILE_B` runs the engine on two lap files. It works in a fresh clone, so it installs missing
// packages first.
import { runEngineCommand } from './engine-command.mjs';

process.exitCode = await runEngineCommand(async () => (await import('./compare.ts')).compare);
