// `npm run analyze -- FILE`: the engine on one lap file. Works in a fresh clone, so it installs what is missing first.
import { ensureInstalled } from './install.mjs';

// What is printed here may be read by a program; what the installation has to say is for people.
const { log } = console;
console.log = console.error;
ensureInstalled();
console.log = log;

const { register } = await import('tsx/esm/api');
register();
const { analyze } = await import('./analyze.ts');
process.exitCode = analyze(process.argv.slice(2));
