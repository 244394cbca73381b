import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_ANSWERS_ID, PAGES, type PageName } from '#contract/pages.ts';
import type { PageHead } from './page-head.ts';

/** The documents of the built web client: one for every page, drawn as far as it can be without any answer. */
export type WebDocuments = {
  htmlOf: (page: PageName) => string;
  /** For a Content-Security-Policy: the scripts that stand in the documents themselves. */
  inlineScriptHashes: string[];
};

/** Within the folder of the web client; its files are sent as pages only, never by their own address. */
export const DOCUMENTS_FOLDER = 'documents';

/** Reads the documents in `folder`; a page that has none gets the empty one. Null where nothing has been built. */
export function readWebDocuments(folder: string): WebDocuments | null {
  const emptyPath = join(folder, 'index.html');
  if (!existsSync(emptyPath)) return null;
  const empty = readFileSync(emptyPath, 'utf8');
  const documents = new Map<string, string>();
  for (const name of [...Object.keys(PAGES), 'not-found']) {
    const path = join(folder, DOCUMENTS_FOLDER, `${name}.html`);
    if (existsSync(path)) documents.set(name, readFileSync(path, 'utf8'));
  }
  return {
    htmlOf: (page) => documents.get(page) ?? empty,
    inlineScriptHashes: [...new Set([empty, ...documents.values()].flatMap(hashInlineScripts))],
  };
}

/** A document with the title and description of its page, and the answers that it begins with: JSON by path. */
export function fillDocument(
  html: string,
  head: PageHead & { publicUrl: string },
  answers: ReadonlyMap<string, string>,
): string {
  const entries = [...answers].map(([path, json]) => `${JSON.stringify(path)}:${json}`);
  const block = `<script type="application/json" id="${FIRST_ANSWERS_ID}">{${escapeJson(entries.join(','))}}</script>`;
  return html
    .replace(/<title>[^<]*/, () => `<title>${escapeText(head.title)}`)
    .replace(
      /(<meta\s+name="description"\s+content=")[^"]*/,
      (_, start: string) => start + escapeText(head.description),
    )
    .replace('</head>', () => `${writeLinkTags(head)}</head>`)
    .replace('</body>', () => `${block}</body>`);
}

/** What is shown where somebody shares a link to the page. */
function writeLinkTags({
  title,
  description,
  path,
  image,
  publicUrl,
}: PageHead & { publicUrl: string }): string {
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
  // The one tag that has no twin among those: others are taken from there.
  const card = '<meta name="twitter:card" content="summary_large_image" />';
  const canonical = path === null ? '' : `<link rel="canonical" href="${escapeText(publicUrl + path)}" />`;
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${escapeText(content)}" />`,
  );
  return [...tags, card, canonical].join('');
}

/** JSON that cannot end the script element that it stands in, nor begin a comment there. */
function escapeJson(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function hashInlineScripts(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  );
}
