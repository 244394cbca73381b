/**
 * Reads RaceCapture's log (autosportlabs.com; firmware of the MK1 and of the MK2/Pro, wiki "RaceCapturePro2 logfile
 * reference"). It is CSV, usually called `.log`.
 *
 * - Every cell of the header holds a name, a unit and rates: `"Latitude"|"Degrees"|0.0|0.0|10`. MK1 begins it with `#`
 *   and has fewer of them. When the logger is switched on again, it goes on in the same file with another header.
 * - Spreadsheets that save it again take the quotes away or double them, and may separate the cells by semicolons.
 * - Rows are sparse: an empty cell was not sampled. The last position is repeated until the receiver has a new one.
 * - The clocks are those of racecapture-clock.ts.
 * - Until the receiver has a fix, positions are empty or 0, and so is `Utc`. Converters fill every empty cell with 0.
 * - `LapTime` counts when `LapCount` goes up: minutes with three or four decimals, though MK1 calls them seconds. The
 *   firmware times by the nearest fix, so these are whole tenths of a second.
 * - Speed is in mph unless the header says otherwise.
 */
import { isNullIsland } from '../../geo.ts';
import type { DropReason, LoggerLap } from '../../lap-file.ts';
import { readRows, type TableRow } from '../text/csv-table.ts';
import { ChannelRecorder } from '../rows/channel-columns.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { chooseClock, type SectionClock } from './racecapture-clock.ts';
import { RaceCaptureLaps } from './racecapture-laps.ts';
import { findSections, RACE_CAPTURE_HEADER, type Section } from './racecapture-sections.ts';
import { metersPerSecondIn } from '../rows/speed-unit.ts';

export const raceCaptureLog: LapFileFormat = {
  format: 'racecapture-log',
  name: 'RaceCapture log',
  recognise: ({ head }) => new RegExp(RACE_CAPTURE_HEADER, 'm').test(head),
  read: readRaceCapture,
};

function readRaceCapture(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const sections = findSections(text.bytes);
  const clock = chooseClock(sections);
  const recorder = new LapFileRecorder();
  const channels = recordChannels(sections);
  const partStarts: number[] = [];
  const loggerLaps: LoggerLap[] = [];
  for (const [index, section] of sections.entries()) {
    if (partStarts.at(-1) !== recorder.length) partStarts.push(recorder.length);
    loggerLaps.push(...readSection(section, clock.forSection(index), { recorder, channels }));
  }
  const unit = sections.find(({ units }) => units.speed !== '')?.units.speed ?? 'mph';
  const { fixes, isReordered, ...recorded } = recorder.finish(
    () => clock.clock,
    metersPerSecondIn(unit),
    channels.finish(recorder.length),
  );
  return {
    ...recorded,
    fixes,
    partStarts: isReordered ? [0] : partStarts.filter((start, index) => index === 0 || start < fixes.length),
    loggerLaps: isReordered ? [] : loggerLaps,
  };
}

/** Describes a position that the logger repeats, and that becomes a fix only if the clock goes on from it. */
type Held = { timeMs: number; lat: number; lon: number; speed: number };

/** Returns a recorder of every channel that a section has; `readSection` knows its column and unit in each of them. */
function recordChannels(sections: readonly Section[]): ChannelRecorder {
  const names = new Set(sections.flatMap(({ channels }) => channels.map(({ channel }) => channel)));
  return new ChannelRecorder([...names].map((channel) => ({ channel, column: 0, factor: 1 })));
}

/** Records the fixes of one section; gives its laps. */
function readSection(
  section: Section,
  clock: SectionClock,
  { recorder, channels }: { recorder: LapFileRecorder; channels: ChannelRecorder },
): LoggerLap[] {
  const { columns, table } = section;
  const channelSlot = CLOCK + clock.columns.length;
  const { latitude, longitude, speed, lapCount, lapTime } = columns;
  const channelColumns = section.channels.map(({ column }) => column);
  const asked = [latitude, longitude, speed, lapCount, lapTime, ...clock.columns, ...channelColumns];
  const seeChannels = (row: TableRow): void => {
    for (const [slot, { channel, factor }] of section.channels.entries())
      channels.set(channel, recorder.length - 1, factor * row.number(channelSlot + slot));
  };
  const laps = new RaceCaptureLaps();
  const seen: { last: Held | null; held: Held | null } = { last: null, held: null };
  readRows(table, asked, (row) => {
    const timeMs = clock.read(row, CLOCK);
    const fix = { timeMs, lat: row.number(LAT), lon: row.number(LON), speed: row.number(SPEED) };
    laps.see(row.number(LAP_COUNT), row.number(LAP_TIME), timeOfFix(fix));
    const fault = findFault(row.isBlank(LAT) || row.isBlank(LON), fix);
    if (fault !== null) {
      if (fault === 'not_sampled') recorder.pass();
      else recorder.drop(fault);
      return;
    }
    const { last, held } = seen;
    if (last !== null && last.lat === fix.lat && last.lon === fix.lon) {
      if (held !== null) recorder.drop('held_position');
      seen.held = fix;
      return;
    }
    // A stationary car holds its position for long, and the last of these rows says when it went on.
    if (held !== null && held.timeMs < timeMs) recorder.add(held.timeMs, held.lat, held.lon, held.speed);
    else if (held !== null) recorder.drop('held_position');
    seen.held = null;
    if (!recorder.add(timeMs, fix.lat, fix.lon, fix.speed)) return;
    seen.last = fix;
    seeChannels(row);
  });
  if (seen.held !== null) recorder.drop('held_position');
  return laps.finish();
}

/** Returns NaN where zeros stand for a position: the time may be such a zero, too. */
function timeOfFix({ lat, lon, timeMs }: Held): number {
  return isNullIsland(lat, lon) ? Number.NaN : timeMs;
}

function findFault(isBlank: boolean, { lat, lon, timeMs }: Held): DropReason | 'not_sampled' | null {
  if (isBlank) return 'not_sampled';
  if (Number.isNaN(lat) || Number.isNaN(lon)) return 'unreadable_row';
  if (Number.isNaN(timeMs)) return 'no_time';
  return isNullIsland(lat, lon) ? 'no_position' : null;
}

/** The reader asks for the cells of a row in this order. */
const LAT = 0;
const LON = 1;
const SPEED = 2;
const LAP_COUNT = 3;
const LAP_TIME = 4;
const CLOCK = 5;
