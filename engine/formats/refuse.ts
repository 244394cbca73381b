import { UnreadableLapFileError } from '../lap-file.ts';
import { findNamedPair, LATITUDE_NAMES, squashHeads } from './dialects/generic-names.ts';
import { findColumn, findNamedTable, type ColumnHead } from './text/csv-header.ts';
import type { LapFileText } from './rows/lap-file-format.ts';
import { MOST_COLUMNS } from './text/csv-table.ts';
import { startsWith } from './text/text-encoding.ts';

/** Throws where the first bytes show a file that is no text at all. */
export function refuseBinary(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new UnreadableLapFileError('This file is empty.');
  const kind = BINARY_KINDS.find(({ offset = 0, signature }) =>
    startsWith(bytes.subarray(offset), ascii(signature)),
  );
  if (kind === undefined) return;
  throw new UnreadableLapFileError(kind.advice);
}

/** Returns the error for a file that no format has recognised: one sentence that says what it is, and what to do where that is known. */
export function unknownFileError(text: LapFileText): UnreadableLapFileError {
  const { head } = text;
  const trimmed = head.trimStart();
  if (trimmed === '') return new UnreadableLapFileError('This file is empty.');
  if (isMostlyControlCharacters(head)) {
    if (/alfano/i.test(head)) return new UnreadableLapFileError(ALFANO);
    return new UnreadableLapFileError(
      'This is not a text file, and no known recording of a logger; export the session as CSV or GPX from the program of your lap timer, with Alfano ADA as classic Excel.',
    );
  }
  const kind = TEXT_KINDS.find(({ pattern }) => pattern.test(trimmed));
  return new UnreadableLapFileError(kind?.advice ?? missingColumnAdvice(text));
}

const ALFANO =
  'This is a file of an Alfano logger, which cannot be read; export the session from Alfano ADA as classic Excel.';

type BinaryKind = { signature: string; offset?: number; advice: string };

const PICTURE = 'This is a picture, not a lap file; export the session from your lap timer as CSV or GPX.';
const VIDEO =
  'This is a video; choose it on the upload page, which reads the positions of a GoPro out of it without sending the video.';

const BINARY_KINDS: readonly BinaryKind[] = [
  {
    signature: 'PK\u0003\u0004',
    advice: 'This is a ZIP archive within another one; unpack it and upload the files inside.',
  },
  {
    signature: '\u001f\u008b',
    advice: 'This file is compressed (gzip); unpack it and upload the CSV or GPX file inside.',
  },
  { signature: 'Rar!', advice: 'This is a RAR archive; unpack it and upload the CSV or GPX file inside.' },
  {
    signature: '7z\u00bc\u00af',
    advice: 'This is a 7-Zip archive; unpack it and upload the CSV or GPX file inside.',
  },
  { signature: '\u0089PNG', advice: PICTURE },
  { signature: '\u00ff\u00d8\u00ff', advice: PICTURE },
  { signature: 'GIF8', advice: PICTURE },
  { signature: 'WEBP', offset: 8, advice: PICTURE },
  { signature: 'ftyphei', offset: 4, advice: PICTURE },
  { signature: 'ftyp', offset: 4, advice: VIDEO },
  {
    signature: 'RDX',
    advice:
      'This is a recording of an older AiM logger (.drk), which cannot be read; open it in Race Studio 2 and export it as CSV with the GPS channels.',
  },
  {
    signature: 'PROV',
    offset: 16,
    advice:
      'This is the GPS file (.gpk) beside a recording of an older AiM logger; open the recording in Race Studio 2 and export it as CSV with the GPS channels.',
  },
  {
    signature: 'UUni',
    advice:
      'This is a recording of a Unipro laptimer (.uni), which cannot be read; open it in Unipro Analyser and export all channels as tab-separated text (.tsv).',
  },
  {
    signature: '*P* ',
    advice:
      'This is the file of a track for Alfano loggers (.trackALFANO), not a recording; export the session from Alfano ADA as classic Excel.',
  },
  {
    signature: '%PDF',
    advice: 'This is a PDF document; export the session from your lap timer as CSV or GPX.',
  },
  {
    signature: '\u00d0\u00cf\u0011\u00e0',
    advice: 'This is an old Excel workbook; save the sheet as CSV and upload that.',
  },
  {
    signature: 'SQLite format 3',
    advice: 'This is a database; export the session from your lap timer as CSV or GPX.',
  },
];

const TEXT_KINDS: readonly { pattern: RegExp; advice: string }[] = [
  {
    pattern: /^<(?:!doctype html|html|head|body)/i,
    advice: 'This is a web page, not a lap file; download the file itself and upload that.',
  },
  {
    pattern: /<LDXFile/,
    advice: 'This file lists the laps of a MoTeC log; upload it together with the .ld file of the same name.',
  },
  {
    pattern: /^</,
    advice: 'This is an XML file but not GPX, TCX or KML; export the recording as GPX or CSV.',
  },
  {
    pattern: /^[[{]\s*(?:["[{\]}]|-?\d)/,
    advice: 'This is a JSON file, not a lap file; export the session from your lap timer as CSV or GPX.',
  },
  {
    pattern: /^\$[A-Z]{5},/,
    advice:
      'This is an NMEA log without positions and times; record it with the sentences RMC and GGA, or export the session as CSV or GPX.',
  },
  {
    pattern: /^"?\$G[A-Z]{4}(?:[;\t]|",)/m,
    advice:
      'This is an NMEA log that a spreadsheet has saved again; upload the file as the receiver wrote it.',
  },
];

/** Says of a table without timed positions which columns it has, and which were looked for. */
function missingColumnAdvice({ bytes, head }: LapFileText): string {
  const [positions, longitudes, named] = findHeads(bytes, [LATITUDE, LONGITUDE, /\p{Letter}/u]);
  if (named !== undefined && named.length >= MOST_COLUMNS)
    return 'This table has 20,000 columns or more, and no lap file has so many; export the session again with a column for each channel.';
  if (positions !== undefined && longitudes !== undefined && namesPositions(squashHeads(positions))) {
    return `This file has positions but no column with times, so laps cannot be timed: ${listColumns(positions)}, and a time is called time, timestamp, utc, datetime, elapsed time or seconds.`;
  }
  if (positions !== undefined && longitudes === undefined)
    return `This file has no column with longitudes: ${listColumns(positions)}, and a longitude is called longitude, lon, lng or long.`;
  if (/[,;\t]/.test(head)) {
    const columns = named === undefined ? 'its first lines name none' : listColumns(named);
    return `This file has no columns with latitudes and longitudes: ${columns}, and positions are called latitude and longitude, lat and lon, or position.`;
  }
  return 'This is not a lap file; export the session from your lap timer as CSV or GPX.';
}

function namesPositions(heads: readonly ColumnHead[]): boolean {
  return findColumn(heads, LATITUDE_NAMES) !== null || findNamedPair(heads) !== null;
}

const LATITUDE = /\blat(?:itud\p{Letter}*)?\b/u;
const LONGITUDE = /\b(?:lon|lng|long|longitud\p{Letter}*)\b/u;

/** Finds the first line with a column of each of these names, in one pass: a line may name 20,000 columns. */
function findHeads(bytes: Uint8Array, wanted: readonly RegExp[]): (readonly ColumnHead[] | undefined)[] {
  const found = wanted.map((): readonly ColumnHead[] | undefined => undefined);
  findNamedTable(bytes, (heads) => {
    for (const [index, name] of wanted.entries())
      if (found[index] === undefined && heads.length > 1 && heads.some((column) => name.test(column.name)))
        found[index] = heads;
    return found.every((heads) => heads !== undefined);
  });
  return found;
}

function listColumns(heads: readonly ColumnHead[]): string {
  const names = heads.map(({ name }) => name.slice(0, LONGEST_NAME)).filter((name) => name !== '');
  let shown = 1;
  while (shown < names.length && names.slice(0, shown + 1).join(', ').length <= LONGEST_LIST) shown += 1;
  return `its columns are ${names.slice(0, shown).join(', ')}${shown < names.length ? ' and more' : ''}`;
}

/** The whole sentence can be read at a glance. */
const LONGEST_LIST = 80;
const LONGEST_NAME = 24;

/** Text has line ends and tabs, and some loggers fill up with zeros; more of other control characters is no text. */
function isMostlyControlCharacters(head: string): boolean {
  const beginning = head.slice(0, 4096).replace(/(?<=[^\0])\0+$/, '');
  const strange = beginning.replaceAll(/[\P{Cc}\0\t\r\n\f]/gu, '').length;
  const zeros = beginning.split('\0').length - 1;
  return strange > beginning.length / 20 || zeros > beginning.length / 2;
}

function ascii(signature: string): number[] {
  return Array.from(signature, (character) => character.charCodeAt(0));
}
