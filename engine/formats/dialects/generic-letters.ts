import { UnreadableLapFileError } from '../../lap-file.ts';
import type { HemisphereColumns } from '../rows/position-columns.ts';
import { findColumn, type ColumnHead } from '../text/csv-header.ts';
import { readRows, type CsvTable } from '../text/csv-table.ts';
import {
  LATITUDE_LETTER_NAMES,
  LONGITUDE_LETTER_NAMES,
  O_IS_EAST_NAMES,
  O_IS_WEST_NAMES,
} from './generic-names.ts';

/**
 * Finds the letters of the hemispheres of a table: by the names of their columns, else in the columns behind the latitudes and the
 * longitudes, whatever these are called. An O is west in Spanish, French and Italian and east in German and Dutch: the header or another
 * letter of the column tells. Throws where nothing does, because a place on the wrong side of Greenwich would look right.
 */
export function findLetters(
  table: CsvTable,
  names: readonly ColumnHead[],
  { lat, lon }: { lat: number; lon: number },
): HemisphereColumns {
  const latLetter = findColumn(names, LATITUDE_LETTER_NAMES) ?? lat + 1;
  const lonLetter = findColumn(names, LONGITUDE_LETTER_NAMES) ?? lon + 1;
  const [ofLats, ofLons] = sampleLetters(table, [latLetter, lonLetter]);
  return {
    lat,
    lon,
    latLetter: isFrom('NS', ofLats) ? latLetter : null,
    lonLetter: isFrom('EWO', ofLons) ? lonLetter : null,
    isOWest: ofLons.has('O') && isFrom('EWO', ofLons) && isOWest(names[lonLetter]?.name ?? '', ofLons),
  };
}

function isOWest(name: string, letters: ReadonlySet<string>): boolean {
  if (letters.has('E') || O_IS_WEST_NAMES.includes(name)) return true;
  if (letters.has('W') || O_IS_EAST_NAMES.includes(name)) return false;
  throw new UnreadableLapFileError(
    'This file has the letter O beside its longitudes, which is east in some languages and west in others; replace it by E or W.',
  );
}

const SAMPLE_ROWS = 2000;

/** Returns what is written in two columns, in capitals; of receivers without a fix, nothing. */
function sampleLetters(table: CsvTable, columns: readonly [number, number]): [Set<string>, Set<string>] {
  const found: [Set<string>, Set<string>] = [new Set(), new Set()];
  let rows = 0;
  readRows(table, columns, (row) => {
    for (const [slot, texts] of found.entries())
      if (!row.isBlank(slot)) texts.add(row.text(slot).toUpperCase());
    rows += 1;
    return rows < SAMPLE_ROWS;
  });
  return found;
}

function isFrom(letters: string, texts: ReadonlySet<string>): boolean {
  return texts.size > 0 && [...texts].every((text) => text.length === 1 && letters.includes(text));
}
