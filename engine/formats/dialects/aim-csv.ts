/**
 * The CSV export of AiM's Race Studio 2 and 3; converters for other loggers write it as well.
 *
 * - A preamble of keys and values that begins with `Format`, then names, units and, between blank lines, rows of an even rhythm. The
 *   row of units may be missing. Separator `,` `;` or tab, with `;` and tab often a decimal comma; cells in quotes or not.
 * - `Beacon Markers` are the passes over the line in seconds since the recording began: one cell each in Race Studio 3, all in one cell
 *   in Race Studio 2. The first ends the out lap; the last is at `Duration`, where the recording ends, and is no pass.
 *   `Segment Times` says the same with fewer decimals. Files without markers may have a column `Lap Number`.
 * - Rows have no absolute time. `Date` and `Time` of the preamble are the start to the minute, in the time zone of the track.
 * - A spreadsheet that saves the file again drops the quotes, fills rows up with separators and rewrites times and dates.
 * - Names vary: `GPS Latitude`, `GPS_Latitude`, `GPS Lat`.
 */
import { readBeaconCsv, type Preamble } from './beacon-csv.ts';
import type { LapFileFormat } from '../rows/lap-file-format.ts';
import { inferDayOrder, parseLocalizedDate, parseLocalizedTime } from '../text/localized-date.ts';

export const aimCsv: LapFileFormat = {
  format: 'aim-csv',
  name: 'AiM Race Studio CSV',
  recognise: ({ head }) => /^\s*"?Format"?\s*[,;\t]\s*"?AiM CSV File/im.test(head),
  read: (text) => readBeaconCsv(text, { maker: 'AiM', speedNames: ['gps speed', 'speed'], startMs }),
};

function startMs(preamble: Preamble): number {
  const [date = ''] = preamble.get('date') ?? [];
  const [time = ''] = preamble.get('time') ?? [];
  return parseLocalizedDate(date, inferDayOrder(date)) + parseLocalizedTime(time);
}
