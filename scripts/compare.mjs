// `npm run compare -- FILE_A FILE_B`: the engine on two lap files. Works in a fresh clone, so it installs what is missing first.
import { runEngineCommand } from './engine-command.mjs';

process.exitCode = await runEngineCommand(async () => (await import('./compare.ts')).compare);
