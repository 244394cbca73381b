import { ENGINE_VERSION } from '#engine/engine-version.ts';
import { PUBLIC_MODULES } from './engine-modules.ts';
import type { EngineModule } from './engine-modules.ts';
import type { ExportedDeclaration } from './exported-declarations.ts';

/**
 * The documentation of the engine as one HTML page: the example of `guide`, then public modules first, each with what the guide says
 * of it and what it exports, functions before types, with units and errors.
 */
export function enginePage(modules: readonly EngineModule[], guide: string): string {
  const withExports = modules
    .filter(({ path, declarations }) => declarations.length > 0 && !path.startsWith('engine/testing/'))
    .map((module) => ({ ...module, declarations: module.declarations.toSorted(byKind) }));
  const open = PUBLIC_MODULES.flatMap((path) => withExports.filter((module) => module.path === path));
  const inside = withExports.filter((module) => !open.includes(module));
  const links = writeLinks(open, inside);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The engine of Pitboard</title>
<style>${STYLE}</style>
<nav aria-label="Modules">
<h2>Public</h2>${writeIndex(open)}
<details><summary>Inside</summary>${writeIndex(inside)}</details>
</nav>
<main>
<h1>The engine of Pitboard</h1>
${INTRODUCTION}
<pre><code>${escaped(writeExample(guide))}</code></pre>
${open.map((module) => section({ ...module, comment: module.comment ?? readPurpose(module.path, guide) }, links)).join('\n')}
<h1>Inside</h1>
<p>How it is done. These modules may change with any version.</p>
${inside.map((module) => section(module, links)).join('\n')}
</main>
</html>
`;
}

const INTRODUCTION = `<p>Bytes of a lap file in, lap times out. Pure functions without input or output, clock or randomness; the same in Node and in the
browser. Version of the engine: ${ENGINE_VERSION}.</p>
<p>Units stand at the end of names. Times of fixes are milliseconds on the clock of the file, latitudes and longitudes degrees on WGS 84, everything
else SI. What is not known is <code>null</code>, and <code>NaN</code> in columns of numbers. A function that refuses what it is given says
so with <i>Throws</i>.</p>`;

const STYLE = `
body { margin: 0; display: grid; grid-template-columns: 18rem minmax(0, 1fr); font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 0 1rem; box-sizing: border-box; font-size: .875rem; }
nav ul { padding-left: 1rem; } main { padding: 0 2rem 4rem; max-width: 60rem; }
pre { padding: .75rem; overflow: auto; background: light-dark(#f2f2f2, #222); } h3 { margin: 2rem 0 .25rem; }
small { font-weight: normal; opacity: .75; } li { overflow-wrap: anywhere; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } main { padding: 0 1rem; } }`;

function writeIndex(modules: readonly EngineModule[]): string {
  const items = modules.map(({ path, declarations }) => {
    const names = declarations.map(({ name }) => `<li><a href="#${anchor(path, name)}">${name}</a></li>`);
    return `<li><a href="#${anchor(path)}">${shortPath(path)}</a><ul>${names.join('')}</ul></li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}

function section({ path, comment, declarations }: EngineModule, links: Map<string, string>): string {
  const parts = declarations.map((declaration) => entry(path, declaration, comment, links));
  return `<section><h2 id="${anchor(path)}">${shortPath(path)}</h2>${comment === null ? '' : prose(comment)}
${parts.join('\n')}</section>`;
}

const KINDS: readonly ExportedDeclaration['kind'][] = ['function', 'class', 'type', 'constant'];

function byKind(one: ExportedDeclaration, other: ExportedDeclaration): number {
  return KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind);
}

/** The program that the guide begins with. */
function writeExample(guide: string): string {
  return /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
}

/** What the guide's table says of a module, in its first column or beside another; null where it only names it. */
function readPurpose(path: string, guide: string): string | null {
  const file = path.slice('engine/'.length);
  const row = guide.split('\n').find((line) => line.startsWith(`| [${file.slice(0, -'.ts'.length)}](`));
  const summary = row
    ?.split('|')[2]
    ?.trim()
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '`$1`');
  return summary === undefined ? null : `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function entry(
  path: string,
  { name, kind, signature, comment, line }: ExportedDeclaration,
  moduleComment: string | null,
  links: Map<string, string>,
): string {
  const source = `<small>${kind}, <a href="../../${path}">${path}</a>:${line}</small>`;
  const text = comment === null || comment === moduleComment ? '' : prose(comment);
  return `<h3 id="${anchor(path, name)}">${name} ${source}</h3>
${text}<pre><code>${linked(signature, name, links)}</code></pre>`;
}

/** The paragraphs and lists of a doc comment. */
function prose(comment: string): string {
  return comment
    .split(/\n\s*\n/)
    .map((block) => {
      const [first = '', ...items] = `\n${block}`.split(/\n- /);
      const list =
        items.length > 0 ? `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>` : '';
      return `${first.trim() === '' ? '' : `<p>${inline(first.trim())}</p>`}${list}`;
    })
    .join('\n');
}

function inline(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** A signature in which every word that the engine exports leads to its own entry. */
function linked(signature: string, own: string, links: Map<string, string>): string {
  return escaped(signature).replaceAll(/\b[A-Za-z_]\w*\b/g, (word) => {
    const target = word === own ? undefined : links.get(word);
    return target === undefined ? word : `<a href="#${target}">${word}</a>`;
  });
}

/** Where each exported type or class stands; of equal names the public one. */
function writeLinks(open: readonly EngineModule[], inside: readonly EngineModule[]): Map<string, string> {
  const links = new Map<string, string>();
  for (const { path, declarations } of [...inside, ...open]) {
    for (const { name, kind } of declarations) {
      if (kind === 'type' || kind === 'class') links.set(name, anchor(path, name));
    }
  }
  return links;
}

function anchor(path: string, name?: string): string {
  const module = shortPath(path).replaceAll('/', '.');
  return name === undefined ? module : `${module}.${name}`;
}

function shortPath(path: string): string {
  return path.replace(/^engine\//, '').replace(/\.ts$/, '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
