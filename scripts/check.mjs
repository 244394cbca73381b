import { spawn, spawnSync } from 'node:child_process';
import { ensureInstalled, projectFolder, runNpm } from './install.mjs';
import { reachedTests } from './reached-tests.mjs';

// `npm run check`: what to run before a commit, in less than a minute: format, lint, words and types of everything, and the tests that
// your changes reach. `npm test` runs all tests.

const STEPS = [
  { name: 'Format', script: 'format:check', hint: '`npm run format` puts the files in order.' },
  { name: 'Lint', script: 'lint', hint: '`npm run lint` shows this alone; docs/house-style.md says why.' },
  {
    name: 'Words',
    script: 'words',
    hint: 'docs/house-style.md has the terms; `npm run words` shows this alone.',
  },
  { name: 'Types of every layer', script: 'typecheck', hint: '`npm run typecheck` shows this alone.' },
];

ensureInstalled();
// Prettier keeps one core busy, the others both: together they take half of the time.
const steps = await Promise.all(STEPS.map(runStep));
const tests = runTests();
process.exit(steps.every(Boolean) && tests ? 0 : 1);

/** Runs one script of package.json, prints its line, and its output where it failed; false then. */
function runStep({ name, script, hint }) {
  const startMs = Date.now();
  const npm = process.env.npm_execpath;
  const [program, programArguments] = npm ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(program, [...programArguments, 'run', '--silent', script], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: !npm && process.platform === 'win32',
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (status) => {
      tell(name, status === 0, startMs);
      if (status !== 0) console.log(`${Buffer.concat(output).toString()}\n${name} failed. ${hint}`);
      resolve(status === 0);
    });
  });
}

function runTests() {
  const startMs = Date.now();
  const changed = changedFiles();
  const paths = reachedTests(changed, projectFolder);
  if (paths.length === 0) {
    console.log(`✓ Tests: none are reached by ${changed.length} changed files`);
    return true;
  }
  const { status } = runNpm(['exec', '--', 'vitest', 'run', '--reporter=dot', ...paths], {
    stdio: 'inherit',
  });
  tell(`Tests in ${paths.length} files`, status === 0, startMs);
  if (status !== 0) console.log('A test failed. `npx vitest PATH` runs its file again on every change.');
  return status === 0;
}

function tell(name, hasPassed, startMs) {
  console.log(`${hasPassed ? '✓' : '✗'} ${name} (${((Date.now() - startMs) / 1000).toFixed(1)} s)`);
}

/** What differs from the branch that this one shall go into, or from the last commit where there is none; untracked files, too. */
function changedFiles() {
  const base =
    git('merge-base', 'HEAD', '@{upstream}')[0] ?? git('merge-base', 'HEAD', 'origin/main')[0] ?? 'HEAD';
  const changed = git('diff', '--name-only', '--diff-filter=d', base);
  return [...new Set([...changed, ...git('ls-files', '--others', '--exclude-standard')])];
}

function git(...gitArguments) {
  const { status, stdout } = spawnSync('git', gitArguments, { cwd: projectFolder, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}
