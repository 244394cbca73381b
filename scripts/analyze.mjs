// `npm run analyze -- FILE`: the engine on one lap file. Works in a fresh clone, so it installs what is missing first.
import { runEngineCommand } from './engine-command.mjs';

process.exitCode = await runEngineCommand(async () => (await import('./analyze.ts')).analyze);
