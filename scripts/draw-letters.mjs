// Writes data/letters.json: the letters of Archivo as paths, for the pictures that the server draws, also on a machine without
// fonts. Run it again only for another font or more letters: `node scripts/draw-letters.mjs`.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import { decompress } from 'wawoff2';

// These are the axes of the web client's own fonts: wide for headings, normal for text.
const STYLES = { display: { wght: 750, wdth: 120 }, text: { wght: 550, wdth: 100 } };

// Names in Latin script and the sentences of Pitboard use these characters.
const RANGES = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xae, 0x17f],
  [0x218, 0x21b],
  [0x1e80, 0x1e85],
  [0x2013, 0x2014],
  [0x2018, 0x201e],
  [0x2026, 0x2026],
];

const COMMANDS = { moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z' };

const subsets = [await openSubset('latin'), await openSubset('latin-ext')]; // one after the other: they are unpacked in the same memory
const letters = Object.fromEntries(
  Object.entries(STYLES).map(([style, axes]) => [
    style,
    drawAll(subsets.map((font) => font.getVariation(axes))),
  ]),
);
const target = fileURLToPath(new URL('../data/letters.json', import.meta.url));
await writeFile(target, `${JSON.stringify(letters)}\n`);

async function openSubset(name) {
  const path = `@fontsource-variable/archivo/files/archivo-${name}-standard-normal.woff2`;
  // The font is unpacked first: fontkit draws only one style of a packed font.
  return fontkit.create(
    Buffer.from(await decompress(await readFile(fileURLToPath(import.meta.resolve(path))))),
  );
}

/** Draws each letter as [advance, path], in thousandths of the size of the font, with y down. */
function drawAll(fonts) {
  const found = {};
  for (const [first, last] of RANGES) {
    for (let code = first; code <= last; code++) {
      const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(code));
      if (!font) continue;
      const glyph = font.glyphForCodePoint(code);
      const scale = 1_000 / font.unitsPerEm;
      found[String.fromCodePoint(code)] = [
        Math.round(glyph.advanceWidth * scale),
        writePath(glyph.path.commands, scale),
      ];
    }
  }
  return found;
}

function writePath(commands, scale) {
  return commands
    .map(({ command, args }) => {
      const numbers = args.map((value, index) =>
        Math.round(index % 2 === 0 ? value * scale : -value * scale),
      );
      return COMMANDS[command] + numbers.join(' ');
    })
    .join('');
}
