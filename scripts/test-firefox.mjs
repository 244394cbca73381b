import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { installFromDebian } from './debian.mjs';
import { findProgram } from './find-browser.mjs';
import { ensureInstalled } from './install.mjs';
import { endSuite, runVitest, skipSuite } from './suite.mjs';

// `npm run test:firefox` opens every page, and goes the main ways, in a Firefox: that of FIREFOX_PATH, an installed one, or
// Debian's, which this installs where permitted.

const NAMES = ['firefox-esr', 'firefox'];
const USUAL_PLACES = ['/Applications/Firefox.app/Contents/MacOS/firefox'];

ensureInstalled();
const firefox = process.env.FIREFOX_PATH ?? findProgram(NAMES, USUAL_PLACES) ?? installDebians();
console.log(`In the Firefox at ${firefox}:`);
ensureBuilt();
endSuite(
  runVitest(['--config', join('tests', 'firefox', 'vitest.config.ts')], { PITBOARD_TEST_FIREFOX: firefox }),
);

function installDebians() {
  const why = installFromDebian(['firefox-esr', 'fonts-liberation']);
  return (
    findProgram(NAMES) ?? skipSuite(`the tests in Firefox need one, and ${why ?? 'Debian’s did not come'}.`)
  );
}
