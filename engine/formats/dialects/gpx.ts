/**
 * GPX 1.0 and 1.1 (topografix.com/gpx.asp), as phones, watches, RaceBox and Harry's LapTimer write it.
 *
 * - Attributes come in any order, elements under any namespace prefix, speed beside the time (1.0) or in any extension (1.1).
 * - Times carry `Z`, an offset or nothing; whole seconds, or any number of decimals. Tracks that were drawn have none at all.
 * - Some loggers begin a `<trkseg>` with every lap, others wherever the receiver lost its fix; some leave empty ones behind.
 * - Waypoints and routes are not driven; only track points are read.
 */
import { at } from '../../fix-columns.ts';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { parseDecimal } from '../text/decimal.ts';
import { hasZone, parseDateTime } from '../text/iso-timestamp.ts';
import { hasRootElement, XmlScanner, xmlName } from '../text/xml-scanner.ts';

export const gpx: LapFileFormat = {
  format: 'gpx',
  name: 'GPX',
  recognise: ({ bytes, head }) => hasRootElement(bytes, head, GPX),
  read: readGpx,
};

const GPX = xmlName('gpx');
const SEGMENT = xmlName('trkseg');
const POINT = xmlName('trkpt');
const TIME = xmlName('time');
const SPEED = xmlName('speed');
const LAT = xmlName('lat');
const LON = xmlName('lon');
const OTHER_POINTS = ['rtept', 'wpt'].map(xmlName);

function readGpx(text: LapFileText): ReturnType<LapFileFormat['read']> {
  const scanner = new XmlScanner(text.bytes);
  const points = new PointReader();
  const partStarts: number[] = [];
  let otherPoints = false;
  for (let tag = scanner.next(); tag !== 'end'; tag = scanner.next()) {
    if (scanner.isNamed(POINT)) {
      if (tag === 'open') points.open(scanner);
      else points.close();
    } else if (points.isOpen) {
      points.read(scanner, tag);
    } else if (tag === 'open' && scanner.isNamed(SEGMENT)) {
      if (partStarts.at(-1) !== points.recorder.length) partStarts.push(points.recorder.length);
    } else if (tag === 'open') {
      otherPoints ||= OTHER_POINTS.some((name) => scanner.isNamed(name));
    }
  }
  refuseUntimed(points, otherPoints);

  // The standard says metres per second, but not every writer of an extension keeps to it.
  const { isReordered, ...recorded } = points.recorder.finish(() => (points.hasZone ? 'utc' : 'local'), 1);
  return {
    ...recorded,
    partStarts: isReordered ? [0] : partsWithFixes(partStarts, recorded.fixes.length),
    loggerLaps: [],
  };
}

function refuseUntimed(points: PointReader, otherPoints: boolean): void {
  if (points.count === 0) {
    throw new UnreadableLapFileError(
      otherPoints
        ? 'This GPX file holds a planned route or single waypoints but no recorded track; export the recorded track instead.'
        : 'This GPX file has no track points in it.',
    );
  }
  // A few points with times among many without are the marks of an editor, not a recording.
  if (2 * points.timeCount < points.count) {
    const which = points.timeCount === 0 ? 'its' : 'most of its';
    throw new UnreadableLapFileError(
      `This GPX file has no times in ${which} track points, so laps cannot be timed; export the recording with its time stamps.`,
    );
  }
}

/** Every part begins at its own fix; a segment without any fix is none. */
function partsWithFixes(partStarts: readonly number[], fixCount: number): number[] {
  const later = partStarts.filter((start) => start > 0 && start < fixCount);
  return [0, ...later];
}

const [TIME_PLACE, LAT_PLACE, LON_PLACE, SPEED_PLACE] = [0, 1, 2, 3] as const;

/** Puts one track point together from its tags. */
class PointReader {
  readonly recorder = new LapFileRecorder();
  /** Points seen, points with a time, whether times name their zone. */
  count = 0;
  timeCount = 0;
  hasZone = true;
  isOpen = false;
  /** Number of open elements inside of the point. */
  #depth = 0;
  /** Time, latitude, longitude and speed: numbers in fields of their own would be allocated for every point. */
  readonly #values = new Float64Array(4);

  open(scanner: XmlScanner): void {
    // The end of the point before is missing where a point lies inside of a point.
    if (this.isOpen) this.recorder.drop('unreadable_row');
    this.count++;
    this.isOpen = true;
    this.#depth = 0;
    this.#values[TIME_PLACE] = Number.NaN;
    this.#values[LAT_PLACE] = scanner.attributeNumber(LAT);
    this.#values[LON_PLACE] = scanner.attributeNumber(LON);
    this.#values[SPEED_PLACE] = Number.NaN;
    if (scanner.isSelfClosing) this.close();
  }

  read(scanner: XmlScanner, tag: 'open' | 'close'): void {
    if (tag === 'close') {
      this.#depth--;
    } else {
      if (this.#depth === 0 && scanner.isNamed(TIME)) this.#readTime(scanner);
      else if (scanner.isNamed(SPEED) && Number.isNaN(at(this.#values, SPEED_PLACE)))
        this.#values[SPEED_PLACE] = scanner.parseText(parseDecimal);
      if (!scanner.isSelfClosing) this.#depth++;
    }
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const values = this.#values;
    this.recorder.add(
      at(values, TIME_PLACE),
      at(values, LAT_PLACE),
      at(values, LON_PLACE),
      at(values, SPEED_PLACE),
    );
  }

  #readTime(scanner: XmlScanner): void {
    if (this.timeCount === 0) {
      const { bytes, start, end } = scanner.text();
      this.#values[TIME_PLACE] = parseDateTime(bytes, start, end);
      this.hasZone = hasZone(bytes, start, end);
    } else this.#values[TIME_PLACE] = scanner.parseText(parseDateTime);
    if (!Number.isNaN(at(this.#values, TIME_PLACE))) this.timeCount++;
  }
}
