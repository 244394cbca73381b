import { spawn } from 'node:child_process';
import { projectFolder } from './install.mjs';

// `npm run check` and `npm test` consist of these steps: scripts of package.json, each with one line of output.

/** These steps need neither a build nor a server. */
export const STATIC_CHECKS = [
  { name: 'Format', script: 'format:check', hint: '`npm run format` puts the files in order.' },
  { name: 'Lint', script: 'lint', hint: '`npm run lint` shows this alone; docs/house-style.md says why.' },
  {
    name: 'Words',
    script: 'words',
    hint: '`npm run words` shows this alone; docs/house-style.md has the terms.',
  },
  { name: 'Types of every layer', script: 'typecheck', hint: '`npm run typecheck` shows this alone.' },
];

/**
 * Runs steps side by side: the types of a layer are checked on one core, and the linter keeps the other busy.
 * @returns {Promise<boolean>} whether all passed
 */
export async function runSideBySide(steps) {
  const passed = await Promise.all(steps.map((step) => runStep(step)));
  return passed.every(Boolean);
}

/**
 * Runs one script of package.json. Prints its line, and its whole output where it failed. `count` reads how many tests have run: a step that
 * has it and ran none has failed.
 * @returns {Promise<boolean>} whether it passed
 */
export async function runStep({ name, script, arguments: words = [], environment = {}, hint, count }) {
  const startMs = Date.now();
  const { status, output } = await runScript(script, words, environment);
  const tests = count?.();
  const hasPassed = status === 0 && (!count || tests?.passed > 0);
  printResult(name, hasPassed, startMs, tests);
  if (!hasPassed) console.log(`${output}\n${name} failed. ${hint}`);
  return hasPassed;
}

export function printResult(name, hasPassed, startMs, tests) {
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
  console.log(`${hasPassed ? '✓' : '✗'} ${name} (${seconds} s${tests ? `, ${tests.passed} tests` : ''})`);
}

function runScript(script, words, environment) {
  const npm = process.env.npm_execpath;
  const [program, programArguments] = npm ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(
    program,
    [...programArguments, 'run', '--silent', script, ...(words.length > 0 ? ['--', ...words] : [])],
    {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: !npm && process.platform === 'win32',
      env: { ...process.env, ...environment },
    },
  );
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }));
  });
}
