// `npm run verify -- BUNDLE.json`: checks a proof of a lap time. Works in a fresh clone, so it installs what is missing first.
import { runEngineCommand } from './engine-command.mjs';

process.exitCode = await runEngineCommand(async () => (await import('./verify.ts')).verify);
