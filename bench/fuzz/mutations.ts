import type { Random } from '#engine/simulation/random.ts';

/** Breaks a file: one character per byte in, the same out. `other` is another lap file. */
export type Mutation = (text: string, random: Random, other: string) => string;

/** Every way of breaking a file, by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'cut off': (text, random) => text.slice(0, below(random, text.length)),
  'beginning lost': (text, random) => text.slice(below(random, text.length)),
  'bytes changed': changeBytes,
  'bytes lost': (text, random) => onSpots(text, random, 20, () => ''),
  'bits flipped': flipBits,
  'nasty numbers': nastyNumbers,
  'nasty numbers in front': (text, random) => {
    const end = Math.min(text.length, 3000);
    return nastyNumbers(text.slice(0, end), random) + text.slice(end);
  },
  'nasty words anywhere': (text, random) => onSpots(text, random, 8, (byte) => byte + pick(random, NASTY)),
  'a column of nasty numbers': nastyColumn,
  'columns exchanged': (text, random) => {
    const [a, b] = [below(random, 20), below(random, 20)];
    return onColumns(text, (cells) => {
      [cells[a], cells[b]] = [cells[b] ?? '', cells[a] ?? ''];
    });
  },
  'a column lost': (text, random) => {
    const column = below(random, 20);
    return onColumns(text, (cells) => void cells.splice(column, 1));
  },
  'a column twice': (text, random) => {
    const [from, to] = [below(random, 20), below(random, 20)];
    return onColumns(text, (cells) => void cells.splice(to, 0, cells[from] ?? ''));
  },
  'a column moved against the rest': (text, random) => {
    const [column, shift] = [below(random, 20), below(random, 30)];
    const cells = lines(text).map((line) => line.split(findSeparator(text))[column] ?? '');
    let row = 0;
    return onColumns(text, (now) => {
      now[column] = cells[Math.max(0, row++ - shift)] ?? '';
    });
  },
  'rows lost': (text, random) => onPiece(text, random, () => []),
  'rows twice': (text, random) => onPiece(text, random, (rows) => [...rows, ...rows]),
  'rows backwards': (text, random) => onPiece(text, random, (rows) => rows.toReversed()),
  'rows in disorder': (text, random) =>
    onPiece(text, random, (rows) => {
      const keyed = rows.map((row) => ({ row, key: random.uniform() }));
      return keyed.toSorted((a, b) => a.key - b.key).map(({ row }) => row);
    }),
  'every row twice': (text, random) => onPiece(text, random, (rows) => rows.flatMap((row) => [row, row])),
  'every other row lost': (text, random) =>
    onPiece(text, random, (rows) => rows.filter((_, row) => row % 2 === 0)),
  'one row a thousand times': (text, random) =>
    onPiece(text, random, (rows) => [...Array.from({ length: 1000 }, () => rows[0] ?? ''), ...rows.slice(1)]),
  'the whole file twice': (text) => text + text,
  'another file behind it': (text, _, other) => text + other,
  'another file in front of it': (text, _, other) => other + text,
  'rows of another file in between': (text, random, other) => {
    const foreign = lines(other)
      .slice(0, 100)
      .map((line) => line.slice(0, 1000));
    return onPiece(text, random, (rows) =>
      rows.flatMap((row, index) => [row, foreign[index % foreign.length] ?? '']),
    );
  },
  'every number scaled': (text, random) => {
    const factor = pick(random, [-1, 0, 1e-9, 1e-3, 60, 1e3, 1e6, 1e9, 1e300]);
    return text.replaceAll(NUMBER, (number) =>
      random.uniform() < 0.9 ? number : String(Number(number) * factor),
    );
  },
  'one number everywhere': (text, random) => {
    const number = pick(random, text.match(NUMBER) ?? ['0']);
    return text.replaceAll(NUMBER, (old) => (random.uniform() < 0.3 ? number : old));
  },
  'zero bytes': (text, random) =>
    onSpots(text, random, 40, (byte) => byte + '\0'.repeat(1 + below(random, 500))),
  'other letters': (text, random) => onSpots(text, random, 40, (byte) => byte + pick(random, STRANGE)),
  'quotes and separators': (text, random) => onSpots(text, random, 30, (byte) => byte + pick(random, MARKS)),
  'line ends lost': (text, random) => text.replaceAll('\n', (end) => (random.uniform() < 0.1 ? '' : end)),
  'other line ends': (text, random) =>
    text.replaceAll(/\r?\n/g, () => pick(random, ['\r', '\n', '\r\n', '\n\n'])),
  'another separator': (text, random) =>
    text.replaceAll(findSeparator(text), pick(random, [',', ';', '\t', '|', ' '])),
  'decimal commas': (text) => text.replaceAll(/(\d)\.(\d)/g, '$1,$2'),
  'UTF-16': (text, random) => inUtf16(text, random.uniform() < 0.5, random.uniform() < 0.5),
  'a mark of an encoding': (text, random) =>
    pick(random, ['\xef\xbb\xbf', '\xff\xfe', '\xfe\xff', '\0', '\0\0\xfe\xff']) + text,
  'an entity bomb': (text) => BOMB + text.replace(/^\s*<\?xml[^>]*>/, '').replaceAll('<time>', '<time>&h;'),
  'tags changed': changeTags,
};

/** Makes files of megabytes, which take long to read: tried less often. */
export const LARGE_MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a line of ten megabytes': (text, random) =>
    onSpots(
      text,
      random,
      1,
      (byte) => byte + pick(random, ['x', '9', ',', '"', ' ', '$', '<', '\0', '<a>']).repeat(10_000_000),
    ),
  'a hundred thousand columns': (text, random) => {
    const cells = `${findSeparator(text)}${pick(random, ['', '1', 'lat', 'speed'])}`.repeat(100_000);
    return lines(text.slice(0, 5000))
      .map((line) => (random.uniform() < 0.8 ? line + cells : cells + line))
      .join('\n');
  },
  'tags a hundred thousand deep': (text, random) =>
    onSpots(text, random, 1, (byte) => byte + '<a b="1">'.repeat(100_000)),
  'a row a hundred thousand times': (text, random) => {
    const rows = lines(text);
    const row = pick(random, rows.length === 0 ? [''] : rows);
    return `${text}\n${`${row.slice(0, 200)}\n`.repeat(100_000)}`;
  },
  'the file again and again': (text) => text.repeat(Math.ceil(8_000_000 / (text.length + 1))),
  'comments without end': (text, random) =>
    onSpots(text, random, 1, (byte) => byte + '<!-- '.repeat(500_000)),
};

/** Writes the same file in other ways: what is read must not change. */
export const HARMLESS_MUTATIONS: Readonly<Record<string, Mutation>> = {
  'UTF-16, little end first': (text) => inUtf16(text, true, true),
  'UTF-16, big end first': (text) => inUtf16(text, false, true),
  'a byte-order mark': (text) => `\xef\xbb\xbf${text}`,
  'blank lines at the end': (text) => `${text}\r\n\r\n`,
  'zeros at the end': (text) => `${text}\n${'\0'.repeat(4096)}`,
  'Windows line ends': (text) => text.replaceAll(/\r?\n/g, '\r\n'),
  'Unix line ends': (text) => text.replaceAll('\r\n', '\n'),
};

const NUMBER = /-?\d+(?:\.\d+)?/g;

const NASTY = [
  'NaN', 'nan', 'Infinity', '-Infinity', '1e308', '-1e308', '1e-320', '1e999', '0', '-0', '-1', '', ' ', '-', '.', '+',
  '0x1F', '1_000', '1,5', '1.5.5', '99999999999999999999999', '-99999999999999999999999', '9007199254740993', '8640000000000001',
  '1e19', '253402300800000', '4294967296', '2147483648', '0.000000000000000000001', '86400', '86399.999', '235959.999', '240000',
  '90', '-90', '180', '-180', '90.0000001', '179.9999999', '-179.9999999', '#N/A', '#REF!', 'null', 'undefined', '--', '\u00b2',
  '00:00:00', '24:00:00', '2026-02-30T25:61:61Z', '0000-00-00T00:00:00Z', '9999-12-31T23:59:60Z', '-271821-04-20T00:00:00Z',
  '31/12/9999', '1/1/0001', '12:34', '1:2:3:4', 'constructor', '__proto__', 'toString',
]; // oxfmt-ignore

/** Lists degree signs, the sign of VBO, a wide blank, a flag, and bytes that are no UTF-8, one character per byte. */
const STRANGE = [
  '\u00b0',
  '\u00c2\u00b0',
  '\u00ac',
  '\u00c2\u00ac',
  '\u00f0\u009f\u008f\u0081',
  '\u00e2\u0080\u0083',
  '\u00a0',
  '\u00ff',
  '\u0080',
  '\u001a',
  '\u000c',
  '\u0085',
];

const MARKS = [
  '"',
  '""',
  "'",
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '\\',
  '|',
  '#',
  '=',
  '&',
  '<',
  '>',
  '/>',
  '[',
  ']',
  '$',
  '*',
  '(',
  ')',
];

const BOMB = `<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaaaaaaaa">${[...'bcdefgh']
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(16)}">`)
  .join('')}]>`;

export function below(random: Random, limit: number): number {
  return Math.floor(random.uniform() * limit);
}

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[below(random, values.length)];
  if (value === undefined) throw new Error('There is nothing to pick from.');
  return value;
}

function lines(text: string): string[] {
  return text.split('\n');
}

function findSeparator(text: string): string {
  const middle = text.slice(text.length >> 1, (text.length >> 1) + 2000);
  const counts = [',', ';', '\t', ' '].map((mark) => middle.split(mark).length);
  return [',', ';', '\t', ' '][counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Replaces up to `most` single characters. */
export function onSpots(
  text: string,
  random: Random,
  most: number,
  change: (byte: string) => string,
): string {
  const spots = Array.from({ length: 1 + below(random, most) }, () => below(random, text.length)).toSorted(
    (a, b) => a - b,
  );
  let result = '';
  let from = 0;
  for (const spot of new Set(spots)) {
    result += text.slice(from, spot) + change(text[spot] ?? '');
    from = spot + 1;
  }
  return result + text.slice(from);
}

export function changeBytes(text: string, random: Random): string {
  return onSpots(text, random, 60, () => String.fromCharCode(below(random, 256)));
}

export function flipBits(text: string, random: Random): string {
  return onSpots(text, random, 60, (byte) =>
    String.fromCharCode(byte.charCodeAt(0) ^ (1 << below(random, 8))),
  );
}

function nastyNumbers(text: string, random: Random): string {
  const share = random.uniform() ** 4;
  return text.replaceAll(NUMBER, (number) => (random.uniform() < share ? pick(random, NASTY) : number));
}

function nastyColumn(text: string, random: Random): string {
  const column = below(random, 20);
  const share = random.uniform();
  const nasty = pick(random, NASTY);
  const isAlwaysTheSame = random.uniform() < 0.5;
  return onColumns(text, (cells) => {
    if (column < cells.length && random.uniform() < share)
      cells[column] = isAlwaysTheSame ? nasty : pick(random, NASTY);
  });
}

function onColumns(text: string, change: (cells: string[]) => void): string {
  const separator = findSeparator(text);
  return lines(text)
    .map((line) => {
      const cells = line.split(separator);
      change(cells);
      return cells.join(separator);
    })
    .join('\n');
}

function onPiece(text: string, random: Random, change: (rows: string[]) => string[]): string {
  // Files without line ends are taken apart between their tags.
  const mark = text.includes('\n') ? '\n' : '><';
  const rows = text.split(mark);
  const [a, b] = [below(random, rows.length + 1), below(random, rows.length + 1)];
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  return [...rows.slice(0, from), ...change(rows.slice(from, to)), ...rows.slice(to)].join(mark);
}

function inUtf16(text: string, isLittle: boolean, hasMark: boolean): string {
  const decoded = new TextDecoder().decode(Buffer.from(text, 'latin1'));
  const little = Buffer.from(hasMark ? `\ufeff${decoded}` : decoded, 'utf16le');
  return (isLittle ? little : little.swap16()).toString('latin1');
}

const TAGS = [
  '<trkpt',
  '</trkpt>',
  '<trkseg>',
  '</trkseg>',
  '<time>',
  '</time>',
  '<trk>',
  '</trk>',
  'lat=',
  'lon=',
  '<extensions>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<rte>',
  '<wpt lat="1" lon="2">',
  '&amp;',
  '&#x30;',
  '&#1114112;',
  '<?x',
  '?>',
];

function changeTags(text: string, random: Random): string {
  const [old, fresh] = [pick(random, TAGS), pick(random, TAGS)];
  return text.replaceAll(old, (tag) => (random.uniform() < 0.05 ? fresh : tag));
}
