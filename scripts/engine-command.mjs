import { ensureInstalled } from './install.mjs';

/** Runs a command that is written in TypeScript, with the arguments of this process; gives its exit code. */
export async function runEngineCommand(load) {
  // What is printed here may be read by a program; what the installation has to say is for people.
  const { log } = console;
  console.log = console.error;
  ensureInstalled();
  console.log = log;

  const { register } = await import('tsx/esm/api');
  register();
  const run = await load();
  return run(process.argv.slice(2));
}
