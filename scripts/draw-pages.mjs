import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { projectFolder } from './install.mjs';

const configFile = join(projectFolder, 'web', 'vite.config.ts');
const webFolder = join(projectFolder, 'dist', 'web');
const drawingFolder = join(projectFolder, 'dist', 'drawing');

/**
 * Makes a document for every page of the built web client: what it shows before any answer has come, and links to the
 * scripts and styles of that page, so that a browser shows something and loads everything at once.
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
    const html = insert(document, {
      beforeHeadEnd: linksOf(manifest, file).filter((link) => !document.includes(link.href)),
      page: name,
      content: await drawPage(name),
    });
    writeFileSync(join(webFolder, 'documents', `${name}.html`), html);
  }
  rmSync(drawingFolder, { recursive: true });
  rmSync(join(webFolder, '.vite'), { recursive: true });
}

function insert(document, { beforeHeadEnd, page, content }) {
  const links = beforeHeadEnd.map(({ html }) => `    ${html}\n`).join('');
  const root = '<div id="root"></div>';
  if (!document.includes(root)) throw new Error(`web/index.html has no ${root}.`);
  return document
    .replace('  </head>', () => `${links}  </head>`)
    .replace(root, () => `<div id="root" data-page="${page}">${content}</div>`);
}

/** The scripts and styles of a chunk and of all that it imports. */
function linksOf(manifest, key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const { file, css = [], imports = [] } = manifest[key];
  return [
    ...css.map((name) => ({ href: `/${name}`, html: `<link rel="stylesheet" crossorigin href="/${name}">` })),
    { href: `/${file}`, html: `<link rel="modulepreload" crossorigin href="/${file}">` },
    ...imports.flatMap((imported) => linksOf(manifest, imported, seen)),
  ];
}
