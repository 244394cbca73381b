/**
 * The CSV export of MoTeC's i2; converters and simulators write it as well.
 *
 * - Two keys with their values in every line of the preamble, one in the first cells and one further right. Then blank lines, a row of
 *   names, a row of units, blank lines and the rows, all cells in quotes. Names may repeat: a second `Time` counts minutes.
 * - `Beacon Markers` are the passes over the line in seconds, all of them in one cell.
 * - `Log Date` and `Log Time` are the start to the second, in the time zone of the track; the day comes first.
 */
import { readBeaconCsv, type Preamble } from './beacon-csv.ts';
import type { LapFileFormat } from '../rows/lap-file-format.ts';
import { inferDayOrder, parseLocalizedDate, parseLocalizedTime } from '../text/localized-date.ts';

export const motecCsv: LapFileFormat = {
  format: 'motec-csv',
  name: 'MoTeC i2 CSV',
  recognise: ({ head }) => /^\s*"?Format"?\s*[,;\t]\s*"?MoTeC CSV File/im.test(head),
  read: (text) => readBeaconCsv(text, { maker: 'MoTeC', speedNames: MOTEC_SPEED_NAMES, startMs }),
};

/** Lists MoTeC's names for speeds, those of the receiver first. */
export const MOTEC_SPEED_NAMES = ['gps speed', 'ground speed', 'speed'];

function startMs(preamble: Preamble): number {
  const [date = ''] = preamble.get('log date') ?? preamble.get('date') ?? [];
  const [time = ''] = preamble.get('log time') ?? preamble.get('time') ?? [];
  return parseLocalizedDate(date, inferDayOrder(date) ?? 'day-first') + parseLocalizedTime(time);
}
