/**
 * Reads the XML export of Harry's LapTimer, `.hlptr` and `.hlptrl` (seen from 2016 to 2022). `.hlptrz` is the same compressed with
 * gzip. Public scripts read `.hlptrl` as this XML; no real file with that ending was at hand to verify it.
 *
 * - `<LapTimerDB>` has a `<lap>` with number, time and a `<recording>` of every lap. The date of a lap is in local time.
 * - The `<date>` of a fix is `14-AUG-16,16:57:02.65` in UTC, its `<coordinate>` is latitude, longitude and height, its
 *   `<speed>` in km/h. Other elements inside of a fix, such as `<acceleration>`, have a coordinate or a speed of their own.
 * - `<relativeToStart>` is the distance in metres and the time since the lap began; the last fix of a lap has its time.
 *   `<lapTime>` is that of the lap list, which differs in laps that the driver has edited.
 * - The quirks of the recording itself are those of the CSV export (harrys-csv.ts).
 */
import { UnreadableLapFileError } from '../../lap-file.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { parseTimeOfDay } from '../text/iso-timestamp.ts';
import { parseLocalizedDate } from '../text/localized-date.ts';
import { hasRootElement, parseSlice, XmlScanner, xmlName, type Slice } from '../text/xml-scanner.ts';
import { HARRYS_LONGEST_LAP_MS, HarrysLaps } from './harrys-laps.ts';

export const harrysXml: LapFileFormat = {
  format: 'harrys-xml',
  name: "Harry's LapTimer XML",
  recognise: ({ bytes, head }) => hasRootElement(bytes, head, ROOT),
  read: readHarrysXml,
};

const ROOT = xmlName('LapTimerDB');
const LAP = xmlName('lap');
const NUMBER = xmlName('index');
const FIX = xmlName('fix');
const DATE = xmlName('date');
const COORDINATE = xmlName('coordinate');
const SPEED = xmlName('speed');
const RELATIVE_TO_START = xmlName('relativeToStart');

function readHarrysXml({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const scanner = new XmlScanner(bytes);
  const fixReader = new FixReader();
  let isLapOpen = false;
  for (let tag = scanner.next(); tag !== 'end'; tag = scanner.next()) {
    if (scanner.isNamed(FIX)) {
      if (tag === 'open' && !scanner.isSelfClosing) fixReader.open();
      else fixReader.close();
    } else if (fixReader.isOpen) fixReader.read(scanner, tag);
    else if (scanner.isNamed(LAP)) {
      isLapOpen = tag === 'open' && !scanner.isSelfClosing;
      if (isLapOpen) fixReader.lapNumber = parseLapNumber(scanner.attribute(NUMBER));
    }
  }
  const { recorder, laps, count } = fixReader;
  if (count === 0) {
    throw new UnreadableLapFileError(
      "This file of Harry's LapTimer holds laps without their recordings; export the laps with their recordings.",
    );
  }
  if (isLapOpen) laps.dropLast(fixReader.lapNumber);
  const { isReordered, ...recorded } = recorder.finish(() => 'utc', KILOMETER_PER_HOUR);
  return {
    ...recorded,
    loggerLaps: isReordered ? [] : laps.finish(recorded.fixes.timesMs),
  };
}

/** Numbers begin with 1. */
function parseLapNumber(slice: Slice | null): number {
  const number = parseSlice(slice);
  return number >= 1 ? number : Number.NaN;
}

const KILOMETER_PER_HOUR = 1 / 3.6;

/** Puts one fix together from its tags. */
class FixReader {
  readonly recorder = new LapFileRecorder();
  readonly laps = new HarrysLaps();
  count = 0;
  isOpen = false;
  lapNumber = Number.NaN;
  /** Number of open elements inside of the fix. */
  #depth = 0;
  #date: string[] = [];
  #coordinate: string[] = [];
  #relative: string[] = [];
  #speed = Number.NaN;
  #writtenDay = '';
  #dayMs = Number.NaN;

  open(): void {
    if (this.isOpen) this.recorder.drop('unreadable_row');
    this.count++;
    this.isOpen = true;
    this.#depth = 0;
    this.#date = this.#coordinate = this.#relative = [];
    this.#speed = Number.NaN;
  }

  read(scanner: XmlScanner, tag: 'open' | 'close'): void {
    if (tag === 'close') {
      this.#depth--;
      return;
    }
    if (this.#depth === 0) {
      if (scanner.isNamed(DATE)) this.#date = splitCells(scanner.text());
      else if (scanner.isNamed(COORDINATE)) this.#coordinate = splitCells(scanner.text());
      else if (scanner.isNamed(RELATIVE_TO_START)) this.#relative = splitCells(scanner.text());
      else if (scanner.isNamed(SPEED)) this.#speed = parseSlice(scanner.text());
    }
    if (!scanner.isSelfClosing) this.#depth++;
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const lapTimeMs = parseLapTime(this.#relative[1] ?? '');
    if (lapTimeMs > HARRYS_LONGEST_LAP_MS) {
      this.recorder.drop('clock_went_back');
      return;
    }
    const [lat, lon] = [toNumber(this.#coordinate[0]), toNumber(this.#coordinate[1])];
    if (!this.recorder.add(this.#timeMs(), lat, lon, this.#speed)) return;
    const distance = toNumber(this.#relative[0]);
    this.laps.see({ number: this.lapNumber, lapTimeMs, distance, startIndex: this.recorder.length - 1 });
  }

  #timeMs(): number {
    const [day = '', time = ''] = this.#date;
    if (day !== this.#writtenDay) {
      this.#writtenDay = day;
      this.#dayMs = parseLocalizedDate(day, 'day-first');
    }
    const bytes = xmlName(time);
    return this.#dayMs + parseTimeOfDay(bytes, 0, bytes.length);
  }
}

/** Splits `34.874742,-118.258734,740.0`; a longer text is none of the values that are read. */
function splitCells({ bytes, start, end }: Slice): string[] {
  if (end - start > LONGEST_TEXT) return [];
  return String.fromCharCode(...bytes.subarray(start, end))
    .split(',')
    .map((cell) => cell.trim());
}

const LONGEST_TEXT = 100;

function toNumber(cell = ''): number {
  return /^-?\d{1,9}(?:\.\d{1,12})?$/.test(cell) ? Number(cell) : Number.NaN;
}

/** Parses `01:33.29` or, for a lap of more than an hour, `1:01:33.29`, in milliseconds. */
function parseLapTime(cell: string): number {
  const [, hours = '0', minutes, seconds] =
    /^(?:(\d{1,9}):)?(\d{1,9}):(\d{1,2}(?:\.\d{1,6})?)$/.exec(cell) ?? [];
  return Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1e6) / 1e3;
}
