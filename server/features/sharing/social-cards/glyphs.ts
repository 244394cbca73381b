import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectFolder } from '#server/kernel/files/project-folder.ts';

/** Headings have wide letters, other text has normal ones. */
export type LetterStyle = 'display' | 'text';

/** A line of text in a picture has its start `x` and its baseline `y` in pixels. */
export type TextLine = {
  text: string;
  x: number;
  y: number;
  sizePx: number;
  style: LetterStyle;
  fill: string;
};

// Each character has its advance width and its path, in thousandths of the size.
const letterTable = z.record(z.string(), z.tuple([z.number(), z.string()]));
const tables = z.object({ display: letterTable, text: letterTable });

/** Draws text as SVG paths: it needs no font, and no part of a name can become SVG. See `toDrawable`. */
export function drawLine({ text, x, y, sizePx, style, fill }: TextLine): string {
  const table = getLetters()[style];
  const scale = sizePx / UNITS;
  let advance = 0;
  const letters = Array.from(toDrawable(text), (character) => {
    const [width, path] = table[character] ?? NOTHING;
    const at = advance;
    advance += width;
    return path && `<path transform="translate(${at} 0)" d="${path}"/>`;
  });
  return `<g fill="${fill}" transform="translate(${x} ${y}) scale(${scale})">${letters.join('')}</g>`;
}

export function measureLine(text: string, sizePx: number, style: LetterStyle): number {
  const table = getLetters()[style];
  const units = Array.from(toDrawable(text)).reduce(
    (sum, character) => sum + (table[character] ?? NOTHING)[0],
    0,
  );
  return (units * sizePx) / UNITS;
}

/** Returns what can be drawn of a text: Latin letters, rare ones without their marks; empty for other scripts. */
export function toDrawable(text: string): string {
  const { text: table } = getLetters();
  return Array.from(text.normalize('NFC'), (character) => {
    if (table[character]) return character;
    const [base = ''] = character.normalize('NFKD');
    return table[base] ? base : '';
  })
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const UNITS = 1_000;
const NOTHING: readonly [number, string] = [0, ''];

let letters: z.infer<typeof tables> | null = null;

// Reads the letters for the first picture: many servers never draw one.
function getLetters(): z.infer<typeof tables> {
  letters ??= tables.parse(JSON.parse(readFileSync(join(projectFolder, 'data', 'letters.json'), 'utf8')));
  return letters;
}
