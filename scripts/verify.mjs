// `npm run verify -- BUNDLE.json` checks a proof of a lap time. It works in a fresh clone, so it installs missing packages
// first.
import { runEngineCommand } from './engine-command.mjs';

process.exitCode = await runEngineCommand(async () => (await import('./verify.ts')).verify);
