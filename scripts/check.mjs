import { spawnSync } from 'node:child_process';
import { ensureInstalled, projectFolder, runNpm } from './install.mjs';
import { reachedTests } from './reached-tests.mjs';
import { printResult, runSideBySide, STATIC_CHECKS } from './steps.mjs';

// `npm run check` is for use before a commit and takes less than a minute: format, lint, words and types of everything, and the
// tests that your changes reach. `npm test` runs all tests.

ensureInstalled();
const checks = await runSideBySide(STATIC_CHECKS);
const tests = runTests();
process.exit(checks && tests ? 0 : 1);

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
  printResult(`Tests in ${paths.length} files`, status === 0, startMs);
  if (status !== 0) console.log('A test failed. `npx vitest PATH` runs its file again on every change.');
  return status === 0;
}

/** Lists the files that differ from the target branch, or from the last commit where there is none, with untracked files. */
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
