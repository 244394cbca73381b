/**
 * Reads Garmin's Training Center XML, version 2, as watches, cycling computers and converters write it (schema at
 * garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd).
 *
 * - A track point has its time and its position in elements of their own; one without a position was taken without a fix.
 * - The speed, in m/s, is in an extension of any namespace prefix, and most files have none.
 * - Activities have a `<Lap>` with a start and a time around their tracks. Only laps whose `<TriggerMethod>` is
 *   `Location` end at a place: the others end by button, distance, time or heart rate.
 * - Courses are planned or converted routes. Their laps have no start, and their times may be made up.
 */
import { UnreadableLapFileError, type LoggerLap } from '../../lap-file.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { parseDateTime, hasZone } from '../text/iso-timestamp.ts';
import { hasRootElement, parseSlice, XmlScanner, xmlName, type Slice } from '../text/xml-scanner.ts';

export const tcx: LapFileFormat = {
  format: 'tcx',
  name: 'Garmin TCX',
  recognise: ({ bytes, head }) => hasRootElement(bytes, head, ROOT),
  read: readTcx,
};

const ROOT = xmlName('TrainingCenterDatabase');
const LAP = xmlName('Lap');
const LAP_SECONDS = xmlName('TotalTimeSeconds');
const LAP_START = xmlName('StartTime');
const LAP_TRIGGER = xmlName('TriggerMethod');
const TRACK = xmlName('Track');
const POINT = xmlName('Trackpoint');
const TIME = xmlName('Time');
const LAT = xmlName('LatitudeDegrees');
const LON = xmlName('LongitudeDegrees');
const SPEED = xmlName('Speed');

function readTcx({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const scanner = new XmlScanner(bytes);
  const points = new PointReader();
  const laps = new LapReader();
  const partStarts: number[] = [];
  for (let tag = scanner.next(); tag !== 'end'; tag = scanner.next()) {
    if (scanner.isNamed(POINT)) {
      if (tag === 'open') points.open(scanner.isSelfClosing);
      else points.close();
    } else if (tag === 'close') continue;
    else if (points.isOpen) points.read(scanner);
    else if (scanner.isNamed(TRACK)) partStarts.push(points.recorder.length);
    else laps.read(scanner);
  }
  if (points.count === 0)
    throw new UnreadableLapFileError(
      'This TCX file has no track points in it; export the recorded activity.',
    );
  const { isReordered, ...recorded } = points.recorder.finish(() => (points.hasZone ? 'utc' : 'local'), 1);
  const later = partStarts.filter((start) => start > 0 && start < recorded.fixes.length);
  return {
    ...recorded,
    partStarts: isReordered ? [0] : [0, ...new Set(later)],
    loggerLaps: laps.finish(),
  };
}

/** Puts one track point together from its tags. */
class PointReader {
  readonly recorder = new LapFileRecorder();
  count = 0;
  isOpen = false;
  /** True where the times name their zone. */
  hasZone = true;
  #timeMs = Number.NaN;
  #lat = Number.NaN;
  #lon = Number.NaN;
  #speed = Number.NaN;

  open(isEmpty: boolean): void {
    // The end of the point before is missing where a point lies inside of a point.
    if (this.isOpen) this.recorder.drop('unreadable_row');
    this.count++;
    this.isOpen = true;
    this.#timeMs = this.#lat = this.#lon = this.#speed = Number.NaN;
    if (isEmpty) this.close();
  }

  read(scanner: XmlScanner): void {
    if (scanner.isNamed(TIME)) this.#readTime(scanner.text());
    else if (scanner.isNamed(LAT)) this.#lat = parseSlice(scanner.text());
    else if (scanner.isNamed(LON)) this.#lon = parseSlice(scanner.text());
    else if (scanner.isNamed(SPEED)) this.#speed = parseSlice(scanner.text());
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.recorder.add(this.#timeMs, this.#lat, this.#lon, this.#speed);
  }

  #readTime({ bytes, start, end }: Slice): void {
    this.#timeMs = parseDateTime(bytes, start, end);
    if (this.recorder.length === 0) this.hasZone = hasZone(bytes, start, end);
  }
}

type WrittenLap = { startTimeMs: number; lapTimeMs: number; endsAtPlace: boolean };

/** Collects the laps of activities. */
class LapReader {
  readonly #laps: WrittenLap[] = [];

  read(scanner: XmlScanner): void {
    if (scanner.isNamed(LAP)) {
      const start = scanner.attribute(LAP_START);
      const startTimeMs = start === null ? Number.NaN : parseDateTime(start.bytes, start.start, start.end);
      this.#laps.push({ startTimeMs, lapTimeMs: Number.NaN, endsAtPlace: false });
      return;
    }
    const lap = this.#laps.at(-1);
    if (lap === undefined) return;
    if (scanner.isNamed(LAP_SECONDS)) lap.lapTimeMs = Math.round(parseSlice(scanner.text()) * 1e6) / 1e3;
    else if (scanner.isNamed(LAP_TRIGGER)) lap.endsAtPlace = isLocation(scanner.text());
  }

  finish(): LoggerLap[] {
    const laps = this.#laps.filter(
      ({ startTimeMs, lapTimeMs, endsAtPlace }) => endsAtPlace && startTimeMs > 0 && lapTimeMs > 0,
    );
    const roundingMs = roundingOfWritten(laps.map(({ lapTimeMs }) => lapTimeMs));
    return laps.map(({ startTimeMs, lapTimeMs }, index) => ({
      number: index + 1,
      lapTimeMs,
      startTimeMs,
      roundingMs,
    }));
  }
}

function isLocation({ bytes, start, end }: Slice): boolean {
  return (
    String.fromCharCode(...bytes.subarray(start, Math.min(end, start + LONGEST_WORD))).trim() === 'Location'
  );
}

const LONGEST_WORD = 40;
