import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { projectFolder } from './install.mjs';

const LATE_SCRIPTS_ID = 'late-scripts';

const configFile = join(projectFolder, 'web', 'vite.config.ts');
const webFolder = join(projectFolder, 'dist', 'web');
const drawingFolder = join(projectFolder, 'dist', 'drawing');

/**
 * Makes a document for every page of the built web client: what it shows before any answer has come, its styles, and its
 * scripts, so that a browser shows something at once and loads the rest together after that.
 */
export async function drawPages() {
  await build({
    configFile,
    logLevel: 'warn',
    publicDir: false,
    build: { ssr: 'prerender.tsx', outDir: drawingFolder, manifest: false, copyPublicDir: false },
  });
  const { listPages, drawPage } = await import(pathToFileURL(join(drawingFolder, 'prerender.js')).href);
  const manifest = JSON.parse(readFileSync(join(webFolder, '.vite', 'manifest.json'), 'utf8'));
  const { document, scripts: entryScripts } = takeOutScripts(
    readFileSync(join(webFolder, 'index.html'), 'utf8'),
  );
  mkdirSync(join(webFolder, 'documents'));
  for (const { name, file } of listPages()) {
    const { scripts, styles } = filesOf(manifest, file);
    const html = insert(document, {
      beforeHeadEnd: [writeStyles(styles), writeLateScripts([...scripts.map(writePreload), ...entryScripts])],
      page: name,
      content: await drawPage(name),
    });
    writeFileSync(join(webFolder, 'documents', `${name}.html`), html);
  }
  rmSync(drawingFolder, { recursive: true });
  rmSync(join(webFolder, '.vite'), { recursive: true });
}

function insert(document, { beforeHeadEnd, page, content }) {
  const links = beforeHeadEnd.map((html) => `    ${html}\n`).join('');
  const root = '<div id="root"></div>';
  if (!document.includes(root)) throw new Error(`web/index.html has no ${root}.`);
  return document
    .replace('  </head>', () => `${links}  </head>`)
    .replace(root, () => `<div id="root" data-page="${page}">${content}</div>`);
}

/** The document without what the build has linked there, and its module scripts apart. */
function takeOutScripts(html) {
  const scripts = html.match(/<script type="module".*<\/script>/g) ?? [];
  if (scripts.length === 0) throw new Error('The built index.html has no module script.');
  const document = html.replaceAll(
    / *<(?:link rel="(?:stylesheet|modulepreload)"|script type="module").*\n/g,
    '',
  );
  return { document, scripts };
}

/** The names of the scripts and styles of a chunk and of all that it imports, whose styles come first. */
function filesOf(manifest, key, seen = new Set()) {
  if (seen.has(key)) return { scripts: [], styles: [] };
  seen.add(key);
  const { file, css = [], imports = [] } = manifest[key];
  const imported = imports.map((name) => filesOf(manifest, name, seen));
  return {
    scripts: [file, ...imported.flatMap(({ scripts }) => scripts)],
    styles: [...imported.flatMap(({ styles }) => styles), ...css],
  };
}

function writePreload(name) {
  return `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${name}">`;
}

/** Scripts that lie still, where no browser looks for something to load, until `loadAfterFirstPaint` puts them into the head. */
function writeLateScripts(tags) {
  const template = `<template id="${LATE_SCRIPTS_ID}">${tags.join('')}</template>`;
  return `${template}<script>(${String(loadAfterFirstPaint)})('${LATE_SCRIPTS_ID}')</script>`;
}

/** Runs in the browser, from its own text: until the first paint, that has the line and the processor for itself. */
function loadAfterFirstPaint(id) {
  const load = () => document.head.append(document.getElementById(id).content);
  document.addEventListener('DOMContentLoaded', () => {
    requestAnimationFrame(() => setTimeout(load));
    // Nothing is painted that nobody sees. The second time there is nothing left to load.
    setTimeout(load, document.hidden ? 0 : 500);
  });
  // web/main.tsx presses it again.
  document.addEventListener('click', ({ target }) =>
    target.closest('#root[data-page] button')?.toggleAttribute('data-pressed'),
  );
}

/**
 * The styles themselves: the first paint waits for nothing but the document. The links tell Vite's loader of chunks which
 * styles are there already; no browser follows them, as it knows no styles of that type.
 */
function writeStyles(names) {
  const css = names.map((name) => readFileSync(join(webFolder, name), 'utf8').trim()).join('');
  if (css.includes('</')) throw new Error('Styles that end their own element cannot stand in a document.');
  const links = names.map((name) => `<link rel="stylesheet" type="text/inlined" href="/${name}">`);
  return `<style>${css}</style>${links.join('')}`;
}
