/**
 * Reads trackAddict's CSV log, also called RaceRender data (seen from 4.3 on Android and 4.8 on iOS;
 * racerender.com/Developer/DataFormat.html).
 *
 * - Lines that begin with `#` come first and also between the rows: `# Lap 3: 00:01:56.145` follows the last row of lap
 *   3 and is its official time. Lap 0 is the way to the first crossing and no lap.
 * - About twenty rows a second repeat the last position until the next fix; `GPS_Update` is 1 in the row where it is
 *   new.
 * - `Time` counts seconds from the start; `UTC Time` is the same since 1970 and missing in files of version 3.
 * - The unit of the speed is in the header and follows the driver's settings.
 */
import { UnreadableLapFileError, type LoggerLap } from '../../lap-file.ts';
import { findColumn, findNamedTable } from '../text/csv-header.ts';
import { readRows } from '../text/csv-table.ts';
import { ChannelRecorder, findChannels } from '../rows/channel-columns.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';
import { metersPerSecondIn } from '../rows/speed-unit.ts';
import { SECONDS_TO_MS_SHIFT } from '../text/decimal.ts';

export const trackAddictCsv: LapFileFormat = {
  format: 'trackaddict-csv',
  name: 'TrackAddict CSV',
  recognise: ({ head }) => /^"?#\s*RaceRender Data/m.test(head),
  read: readTrackAddict,
};

function readTrackAddict(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const table = findNamedTable(text.bytes, (heads) => {
    const names = new Set(heads.map((head) => head.name));
    return names.has('time') && names.has('latitude') && names.has('longitude');
  });
  if (table === null) {
    throw new UnreadableLapFileError(
      'This TrackAddict file has no positions in it; check that the phone had a GPS fix.',
    );
  }
  const column = (name: string) => findColumn(table.heads, [name]);
  const columns = ['time', 'utc time', 'latitude', 'longitude', 'speed', 'gps update'].map(column);
  const hasUpdates = columns[UPDATE] !== null;

  const recorder = new LapFileRecorder();
  const laps: WrittenLap[] = [];
  let hasUtc: boolean | null = null;
  let rowMs = Number.NaN;
  const channels = new ChannelRecorder(findChannels(table.heads));
  readRows(
    table,
    [...columns, ...channels.columns],
    (row) => {
      hasUtc ??= row.number(UTC, SECONDS_TO_MS_SHIFT) > EARLIEST_UTC_MS;
      rowMs = row.number(hasUtc ? UTC : TIME, SECONDS_TO_MS_SHIFT);
      const lat = row.number(LAT);
      const lon = row.number(LON);
      if (hasUpdates && row.number(UPDATE) === 0) recorder.drop('held_position');
      else if (row.isGarbled(LAT, lat) || row.isGarbled(LON, lon)) recorder.drop('unreadable_row');
      else if (recorder.add(rowMs, lat, lon, row.number(SPEED)))
        channels.see(row, columns.length, recorder.length - 1);
    },
    (comment) => {
      const lap = parseLapComment(comment, rowMs);
      if (lap !== null) laps.push(lap);
    },
  );

  const labelled = metersPerSecondIn(table.heads[columns[SPEED] ?? -1]?.unit ?? '');
  const roundingMs = roundingOfWritten(laps.map(({ lapTimeMs }) => lapTimeMs));
  const { isReordered, ...recorded } = recorder.finish(
    () => (hasUtc === true ? 'utc' : 'elapsed'),
    labelled,
    channels.finish(recorder.length),
  );
  return {
    ...recorded,
    loggerLaps: isReordered ? [] : laps.map((lap) => ({ ...lap, roundingMs })),
  };
}

/** The reader asks for the cells of a row in this order. */
const TIME = 0;
const UTC = 1;
const LAT = 2;
const LON = 3;
const SPEED = 4;
const UPDATE = 5;

// A phone that does not know the date yet counts from zero, or from 1970.
const EARLIEST_UTC_MS = Date.UTC(2000, 0, 1);

type WrittenLap = Omit<LoggerLap, 'roundingMs'>;

/** Reads `# Lap 3: 00:01:56.145`. The lap ended between the row before and the next, so its start is right to some hundredths. */
function parseLapComment(comment: string, rowMs: number): WrittenLap | null {
  const [, number, hours, minutes, seconds] =
    /^"?#\s*Lap (\d+): (\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(comment) ?? [];
  if (number === undefined || Number(number) === 0) return null;
  const lapTimeMs = Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
  return {
    number: Number(number),
    lapTimeMs,
    startTimeMs: Number.isNaN(rowMs) ? null : rowMs - lapTimeMs,
  };
}
