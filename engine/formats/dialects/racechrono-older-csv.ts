/**
 * RaceChrono's older CSV exports, versions 1 (seen from 10.2) and 2 (seen from Pro 9.1). Other apps write the first one as well.
 *
 * - The same kind of preamble as version 3; version 2 says so in it, version 1 has no `Format` line and a blank second line.
 * - One header row, with the unit behind the name and, in version 2, a source behind that (`Speed (m/s) *obd`); none is the receiver.
 * - Rows that were put in at a line have a `Trap name`; those at the start/finish line begin a lap. A track with a start and a finish
 *   of its own ends the lap at such a row as well.
 * - Version 2 counts seconds since 1970. Version 1 counts them since midnight in UTC, and only the preamble knows the date.
 */
import { UnreadableLapFileError, type Clock } from '../../lap-file.ts';
import { findColumn, findNamedTable, type ColumnHead, type NamedTable } from '../text/csv-header.ts';
import { readRows } from '../text/csv-table.ts';
import { ChannelRecorder, findChannels } from '../rows/channel-columns.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { LapNumberRuns } from '../rows/lap-number-runs.ts';
import { isRaceChrono } from './racechrono-csv.ts';
import { applyRecordingDate } from '../rows/recording-date.ts';
import { metersPerSecondIn } from '../rows/speed-unit.ts';
import { ReceiverRate } from '../rows/receiver-rate.ts';
import { SECONDS_TO_MS_SHIFT } from '../text/decimal.ts';

export const raceChronoCsvV2: LapFileFormat = {
  format: 'racechrono-csv-v2',
  name: 'RaceChrono CSV v2',
  recognise: ({ head }) => isRaceChrono(head, '2'),
  read: (text) => readOlderRaceChrono(text, 'time', () => 'utc'),
};

export const raceChronoCsvV1: LapFileFormat = {
  format: 'racechrono-csv-v1',
  name: 'RaceChrono CSV v1',
  recognise: ({ head }) => isRaceChrono(head, null),
  read: (text) => readOlderRaceChrono(text, 'timestamp', (timesMs) => dateTimesOfDay(timesMs, text.head)),
};

function readOlderRaceChrono(
  text: LapFileText,
  timeName: string,
  finishTimes: (timesMs: Float64Array) => Clock,
): ReturnType<LapFileFormat['read']> {
  const table = findTable(text, timeName);
  const column = (name: string) => findColumn(table.heads, [name], isFromReceiver);
  const speed = column('speed');
  const columns = [timeName, 'latitude', 'longitude'].map(column);
  const otherColumns = ['lap', 'session fragment', 'trap name', 'device update rate'].map(column);

  const recorder = new LapFileRecorder();
  const runs = new LapNumberRuns();
  const rate = new ReceiverRate();
  let fragment = Number.NaN;
  const channels = new ChannelRecorder(findChannels(table.heads));
  readRows(table, [...columns, speed, ...otherColumns, ...channels.columns], (row) => {
    const rowFragment = row.number(FRAGMENT);
    if (rowFragment !== fragment && !Number.isNaN(rowFragment)) {
      if (!Number.isNaN(fragment)) runs.interrupt();
      fragment = rowFragment;
    }
    const lat = row.number(LAT);
    const lon = row.number(LON);
    if (row.isGarbled(LAT, lat) || row.isGarbled(LON, lon)) {
      recorder.drop('unreadable_row');
    } else if (recorder.add(row.number(TIME, SECONDS_TO_MS_SHIFT), lat, lon, row.number(SPEED))) {
      runs.see(row.number(LAP), recorder.length - 1, !row.isBlank(TRAP));
      rate.see(row.number(RATE));
      channels.see(row, RATE + 1, recorder.length - 1);
    }
  });

  const unit = metersPerSecondIn(table.heads[speed ?? -1]?.unit ?? '');
  const { isReordered, ...recorded } = recorder.finish(finishTimes, unit, channels.finish(recorder.length));
  return {
    ...recorded,
    loggerLaps: isReordered ? [] : runs.finish(recorded.fixes.timesMs),
    receiverRateHz: rate.finish(),
  };
}

/** The reader asks for the cells of a row in this order. */
const TIME = 0;
const LAT = 1;
const LON = 2;
const SPEED = 3;
const LAP = 4;
const FRAGMENT = 5;
const TRAP = 6;
const RATE = 7;

function isFromReceiver(head: ColumnHead): boolean {
  return head.source === '';
}

function findTable(text: LapFileText, timeName: string): NamedTable {
  const table = findNamedTable(text.bytes, (heads) => {
    const names = new Set(heads.map((head) => head.name));
    return ['latitude', 'longitude', timeName].every((name) => names.has(name));
  });
  if (table !== null) return table;
  throw new UnreadableLapFileError(
    'This RaceChrono file has no table of positions; export the session again as CSV v3.',
  );
}

/** Times of day on the date of the preamble, as far as that date can be believed. */
function dateTimesOfDay(timesMs: Float64Array, head: string): Clock {
  const [, day, month, year, hour, minute] =
    /^"?Created"?[,;\t]"?(\d\d)\/(\d\d)\/(\d{4})"?[,;\t ]\s*"?(\d\d):(\d\d)/m.exec(head) ?? [];
  return applyRecordingDate(
    timesMs,
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)),
  );
}
