/** Text that is HTML already. */
export type Html = { readonly html: string };

type Part = string | number | Html | null | false | readonly Part[];

/** Puts HTML together: what is put in is escaped, unless it is HTML itself; null and false are nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.map((text, index) => text + write(parts[index] ?? null)).join('') };
}

/** Text in which `words` between backticks are code. */
export function withCode(text: string): Html {
  const pieces = text.split('`');
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}

function write(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string') return escape(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(write).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
