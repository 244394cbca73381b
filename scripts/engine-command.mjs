import { ensureInstalled } from './install.mjs';

/** Runs a command that is written in TypeScript, with the arguments of this process; returns its exit code. */
export async function runEngineCommand(load) {
  // A program may read the standard output; messages of the installation are for people.
  const { log } = console;
  console.log = console.error;
  ensureInstalled();
  console.log = log;

  const { register } = await import('tsx/esm/api');
  register();
  const run = await load();
  return run(process.argv.slice(2));
}
