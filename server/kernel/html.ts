/** Text that is HTML already. */
export type Html = { readonly html: string };

type Part = string | number | Html | null | false | readonly Part[];

/** Builds HTML. It escapes each part unless the part is HTML itself, and writes nothing for null and false. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.map((text, index) => text + write(parts[index] ?? null)).join('') };
}

function write(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(write).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for the content of an HTML or XML element, or for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
