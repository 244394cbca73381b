import { expect, test } from 'vitest';
import type { LapFile } from '../lap-file.ts';
import { simulateDrive } from '../simulation/drive.ts';
import { FORMAT_WRITERS } from '../testing/format-writers.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openLapFile, timeLaps } from '../time-lap-file.ts';
import { readLapFile } from './recognise.ts';

const drive = simulateDrive(KART_TRACK, { seed: 5, laps: 3, receiver: { rateHz: 5, timeStampStepMs: 10 } });

const TEXTS = Object.entries(FORMAT_WRITERS).map(([format, write]): [string, string] => [
  format,
  write(drive).replaceAll('\r\n', '\n'),
]);
/** Formats whose rows have cells between commas. */
const TABLES = TEXTS.filter(
  ([format]) => !['gpx', 'tcx', 'kml', 'harrys-xml', 'vbo', 'nmea', 'alfano-csv'].includes(format),
);

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Changes each line that has cells without quotes of their own. */
function onCells(text: string, change: (cells: string[]) => string): string {
  return text
    .split('\n')
    .map((line) => (/^[#;<]|"|^[^,]*$/.test(line) ? line : change(line.split(','))))
    .join('\n');
}

function isRow(line = ''): boolean {
  return line.replaceAll(/[^\d]/g, '').length > line.replaceAll(/[^A-Za-z]/g, '').length;
}

/** Splits a file into what precedes its rows, and its rows. */
function splitRows(text: string): [head: string[], rows: string[]] {
  const lines = text.trimEnd().split('\n');
  const first = lines.findIndex(
    (line, index) => line.length > 20 && [0, 1, 2, 5].every((next) => isRow(lines[index + next])),
  );
  return [lines.slice(0, first), lines.slice(first)];
}

/** Returns what a file says, with the columns of its fixes as text, which is quicker to compare. */
function whatIsRead({ format, clock, fixes, loggerLaps }: LapFile) {
  const { timesMs, lats, lons, speedsMetersPerSecond, channels = {} } = fixes;
  const columns = { timesMs, lats, lons, speedsMetersPerSecond, ...channels };
  const texts = Object.entries(columns).map(([name, column]) => `${name}: ${column.join()}`);
  return { format, clock, texts, loggerLaps };
}

/** Writes UTF-16 with the byte that is the higher one in front. */
function utf16BigEndian(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
}

const ENCODINGS: Record<string, (text: string) => Uint8Array> = {
  'with a byte-order mark': (text) => toBytes(`\ufeff${text}`),
  'in UTF-16': (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')),
  'in UTF-16, the higher byte first': utf16BigEndian,
  'with carriage returns alone': (text) => toBytes(text.replaceAll('\n', '\r')),
  'with line ends of both kinds': (text) => toBytes(text.replaceAll('\n', '\r\n')),
  'with blank lines': (text) => toBytes(text.replaceAll('\n', '\n\n')),
};

test.each(Object.entries(ENCODINGS))('every format is read as before %s', (_, encode) => {
  for (const [format, text] of TEXTS) {
    expect(whatIsRead(readLapFile(encode(text))), format).toEqual(whatIsRead(readLapFile(toBytes(text))));
  }
});

const WRITINGS: Record<string, (text: string) => string> = {
  'a blank behind every separator': (text) => onCells(text, (cells) => cells.join(', ')),
  'a blank before every separator': (text) => onCells(text, (cells) => cells.join(' ,')),
  'cells filled up with blanks': (text) =>
    onCells(text, (cells) => cells.map((cell) => cell.padStart(14)).join(',')),
  'all cells in quotes': (text) => onCells(text, (cells) => cells.map((cell) => `"${cell}"`).join(',')),
  'all cells in quotes, and a blank between them': (text) =>
    onCells(text, (cells) => cells.map((cell) => `"${cell}"`).join(', ')),
  'a separator at the end of every line': (text) => onCells(text, (cells) => `${cells.join(',')},`),
};

test.each(Object.entries(WRITINGS))('every table is read as before with %s', (_, rewrite) => {
  for (const [format, text] of TABLES) {
    const before = readLapFile(toBytes(text));
    expect(whatIsRead(readLapFile(toBytes(rewrite(text)))), format).toEqual(whatIsRead(before));
  }
});

/** Formats whose rows have no times: their order and number are the clock. */
const WITHOUT_ROW_TIMES = ['speedangle-sa'];

const LAP_TIMES = new Map(TABLES.map(([format, text]) => [format, lapTimesOf(text)]));

function lapTimesOf(text: string): string[] {
  return timeLaps(openLapFile(toBytes(text)), KART_TRACK).laps.map(
    ({ lapTimeMs, status }) => `${Math.round(lapTimeMs)} ${status}`,
  );
}

const SPOILT_ROWS: Record<string, (head: string[], rows: string[]) => string[]> = {
  'every row twice': (head, rows) => [...head, ...rows.flatMap((row) => [row, row])],
  'the rows twice': (head, rows) => [...head, ...rows, ...rows],
  'a last row that is cut off': (head, rows) => [...head, ...rows, (rows.at(-1) ?? '').slice(0, 12)],
  'the header once more in the middle': (head, rows) => {
    const names = head.findLast((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
    return [...head, ...rows.slice(0, 200), names, ...rows.slice(200)];
  },
  'blocks of rows in another order': (head, rows) => {
    const blocks = Array.from({ length: Math.ceil(rows.length / 60) }, (_, block) =>
      rows.slice(60 * block, 60 * (block + 1)),
    );
    const order = [...blocks.keys()].toSorted((a, b) => ((3 * a) % 5) - ((3 * b) % 5) || a - b);
    return [...head, ...order.flatMap((block) => blocks[block] ?? [])];
  },
};

test.each(Object.entries(SPOILT_ROWS))('the laps of every table are the same with %s', (name, spoil) => {
  for (const [format, text] of TABLES) {
    if (WITHOUT_ROW_TIMES.includes(format)) continue;
    const [head, rows] = splitRows(text);
    const spoilt = [...spoil(head, rows), ''].join('\n');
    expect(lapTimesOf(spoilt), `${format}, ${name}`).toEqual(LAP_TIMES.get(format));
  }
});
