import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { projectFolder } from './install.mjs';

const configFile = join(projectFolder, 'web', 'vite.config.ts');
const webFolder = join(projectFolder, 'dist', 'web');
const drawingFolder = join(projectFolder, 'dist', 'drawing');

/**
 * Makes a document for every page of the built web client: what it shows before any answer has come, its styles, and links
 * to its scripts, so that a browser shows something at once and loads the rest together.
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
  const document = readFileSync(join(webFolder, 'index.html'), 'utf8');
  mkdirSync(join(webFolder, 'documents'));
  for (const { name, file } of listPages()) {
    const { scripts, styles } = filesOf(manifest, file);
    const html = insert(withoutLinks(document), {
      beforeHeadEnd: [writeStyles(styles), ...scripts.map(writePreload)],
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

/** The document without the links that the build has put there: to the entry's styles and to the scripts that it imports. */
function withoutLinks(document) {
  return document
    .replaceAll(/ *<link rel="(?:stylesheet|modulepreload)"[^>]*>\n/g, '')
    .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"');
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

/** The first paint needs none of them, so they may come after what it needs. */
function writePreload(name) {
  return `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${name}">`;
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
