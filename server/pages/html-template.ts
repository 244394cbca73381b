import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PAGE_DATA_ID, PAGE_PARTS, type PageName } from '#contract/pages.ts';
import { escapeHtml } from '#server/kernel/html.ts';
import type { PageHead } from './page-head.ts';

/** The template is the HTML of the built web client, without content. */
export type HtmlTemplate = {
  /** Adds the styles of the page at a URL, and links with which the browser loads all of its scripts at once. */
  forPage: (page: PageName, search: URLSearchParams) => string;
  /** The Content-Security-Policy allows these scripts in the HTML. */
  inlineScriptHashes: string[];
};

/** A template is filled with this: `content` is the rendered page, and `data` the answers it was rendered with. */
export type PageContent = { head: PageHead; publicUrl: string; content: string; data: unknown };

/** Vite lists here the files that it has built: by source file, each chunk with its styles and the chunks that it imports. */
const MANIFEST = '.vite/manifest.json';
const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
);
type Manifest = z.infer<typeof manifestSchema>;

/** Reads the template in `folder`; null where the client has not been built. */
export function readHtmlTemplate(folder: string): HtmlTemplate | null {
  const path = join(folder, 'index.html');
  if (!existsSync(path)) return null;
  const html = readFileSync(path, 'utf8');
  const manifestPath = join(folder, MANIFEST);
  const manifest = existsSync(manifestPath)
    ? manifestSchema.parse(JSON.parse(readFileSync(manifestPath, 'utf8')))
    : {};
  const pages = new Map<string, string>();
  return {
    forPage: (page, search) => {
      const modules = listModules(page, search);
      const key = modules.join();
      const known = pages.get(key);
      if (known !== undefined) return known;
      const filled = inlineStyles(linkModules(html, manifest, modules), folder);
      pages.set(key, filled);
      return filled;
    },
    inlineScriptHashes: hashInlineScripts(html),
  };
}

export function fillTemplate(html: string, { head, publicUrl, content, data }: PageContent): string {
  const block = `<script type="application/json" id="${PAGE_DATA_ID}">${escapeJson(JSON.stringify(data))}</script>`;
  return html
    .replace(/<title>[^<]*/, () => `<title>${escapeHtml(head.title)}`)
    .replace(
      /(<meta\s+name="description"\s+content=")[^"]*/,
      (_, start: string) => start + escapeHtml(head.description),
    )
    .replace('</head>', () => `${writeLinkTags(head, publicUrl)}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${content}</div>${block}`);
}

function writeLinkTags({ title, description, path, image }: PageHead, publicUrl: string): string {
  const properties = {
    'og:site_name': 'Pitboard',
    'og:type': 'website',
    'og:title': title,
    'og:description': description,
    ...(path !== null && { 'og:url': publicUrl + path }),
    'og:image': publicUrl + image,
    'og:image:width': '1200',
    'og:image:height': '630',
  };
  // This tag is the only one without an equivalent among the others, from which previews take the rest.
  const card = '<meta name="twitter:card" content="summary_large_image" />';
  const canonical = path === null ? '' : `<link rel="canonical" href="${escapeHtml(publicUrl + path)}" />`;
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}" />`,
  );
  return [...tags, card, canonical].join('');
}

/** The pages that show another page's module; the module of every other page has its name. */
const SHARED_MODULES: Partial<Record<PageName, PageName>> = {
  driver: 'profile',
  'edit-notices': 'edit-profile',
  'edit-sign-in': 'edit-profile',
  'edit-tokens': 'edit-profile',
  'edit-data': 'edit-profile',
};

/** Returns the path of the module of a page in the folder `web`. */
export function pageModule(page: PageName): string {
  return `pages/${SHARED_MODULES[page] ?? page}.tsx`;
}

function listModules(page: PageName, search: URLSearchParams): string[] {
  const part = PAGE_PARTS[page];
  const module = pageModule(page);
  return part && search.has(part.parameter) ? [module, part.module] : [module];
}

/** Links the scripts and styles of modules, in the form that Vite uses for those of the entry. */
function linkModules(html: string, manifest: Manifest, modules: readonly string[]): string {
  const seen = new Set<string>();
  const chunks = modules.map((module) => listFiles(manifest, module, seen));
  const [scripts, styles] = [
    chunks.flatMap(({ scripts }) => scripts),
    chunks.flatMap(({ styles }) => styles),
  ];
  const links = [
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
  ];
  return html.replace('</head>', () => `${links.filter((link) => !html.includes(link)).join('')}</head>`);
}

/** Lists the files of a chunk and of all its imports, each once, imports first. */
function listFiles(manifest: Manifest, key: string, seen = new Set<string>()) {
  const chunk = manifest[key];
  const files = { scripts: new Array<string>(), styles: new Array<string>() };
  if (!chunk || seen.has(key)) return files;
  seen.add(key);
  for (const { scripts, styles } of chunk.imports.map((name) => listFiles(manifest, name, seen))) {
    files.scripts.push(...scripts);
    files.styles.push(...styles);
  }
  files.scripts.push(chunk.file);
  files.styles.push(...chunk.css);
  return files;
}

/**
 * Inlines the styles into the HTML, so that the first paint waits for no other file. The links that stay tell Vite's loader of
 * chunks that the styles are loaded; no browser follows them, because their type is not one for styles.
 */
function inlineStyles(html: string, folder: string): string {
  return html.replaceAll(/<link rel="stylesheet" crossorigin href="\/([^"]+)">/g, (link, file: string) => {
    const css = readFileSync(join(folder, file), 'utf8').trim();
    if (css.includes('</')) return link;
    return `<style>${css}</style><link rel="stylesheet" type="text/inlined" href="/${file}">`;
  });
}

/** Escapes JSON so that it neither ends its script element nor begins a comment there. */
function escapeJson(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

function hashInlineScripts(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  );
}
