import { CsvError, parse } from 'csv-parse/sync';

/** Holds the first line of a CSV row, from 1, and its values; null where its quotes do not match. */
export type CsvRow = { line: number; values: string[] | null };

/** Calls `take` with each row. A row whose quotes do not match ends with its first line, so others are still read. */
export function readCsvRows(text: string, delimiter: string, take: (row: CsvRow) => void): void {
  const bytes = Buffer.from(text);
  let rowStart = 0;
  let line = 1;
  const endRow = (end: number, values: string[] | null) => {
    take({ line, values });
    // csv-parse counts lines, too, but a line break of two characters in quotes twice.
    line += bytes.toString('latin1', rowStart, end).match(LINE_BREAK)?.length ?? 0;
    rowStart = end;
  };
  while (rowStart < bytes.length) {
    const start = rowStart;
    try {
      parse(bytes.subarray(start), {
        delimiter,
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
        trim: true,
        on_record: (values: string[], context) => {
          endRow(start + context.bytes, values);
          // Nothing is collected.
          return null;
        },
      });
      return;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      endRow(findNextLine(bytes, rowStart), null);
    }
  }
}

const LINE_BREAK = /\r\n|\n|\r/g;
const [LF, CR] = [0x0a, 0x0d];

function findNextLine(bytes: Buffer, start: number): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
  return bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : end + 1;
}
