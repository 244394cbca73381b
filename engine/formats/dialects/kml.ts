/**
 * Reads KML 2.2 and 2.3 with times, as Google Earth, phones and converters write it; in a KMZ archive as well.
 *
 * - A `<gx:Track>` lists the times of its positions, `<when>`, and apart from them the positions, `<gx:coord>`: longitude,
 *   latitude and height with blanks between them. The first time belongs to the first position. An empty `<gx:coord>` was
 *   taken without a fix.
 * - Other writers give each position a `<Placemark>` of its own with `<TimeStamp><when>` and `<Point><coordinates>`:
 *   longitude, latitude and height with commas between them. Files with both kinds repeat the track in the points.
 * - A `<LineString>` has no times. Many files have nothing else, RaceBox's among them.
 * - No speeds are read: KML has no element for them.
 */
import { UnreadableLapFileError } from '../../lap-file.ts';
import { LapFileRecorder, type LapFileFormat, type LapFileText } from '../rows/lap-file-format.ts';
import { parseDecimal } from '../text/decimal.ts';
import { hasZone, parseDateTime } from '../text/iso-timestamp.ts';
import { hasRootElement, XmlScanner, xmlName, type Slice } from '../text/xml-scanner.ts';

export const kml: LapFileFormat = {
  format: 'kml',
  name: 'KML with times',
  recognise: ({ bytes, head }) => hasRootElement(bytes, head, ROOT),
  read: readKml,
};

const ROOT = xmlName('kml');
const TRACK = xmlName('Track');
const TRACK_POSITION = xmlName('coord');
const TIME = xmlName('when');
const PLACEMARK = xmlName('Placemark');
const COORDINATES = xmlName('coordinates');

function readKml({ bytes }: LapFileText): ReturnType<LapFileFormat['read']> {
  const { tracks, points, partStarts } = readPositions(bytes);
  const { recorder, hasZone: isUtc } = tracks.recorder.length > 0 ? tracks : points;
  refuseUntimed(tracks, points);
  const { isReordered, ...recorded } = recorder.finish(() => (isUtc ? 'utc' : 'local'), null);
  const later = partStarts.filter((start) => start > 0 && start < recorded.fixes.length);
  return {
    ...recorded,
    partStarts: isReordered ? [0] : [0, ...new Set(later)],
    loggerLaps: [],
  };
}

type Positions = { tracks: TimedPositions; points: TimedPositions; partStarts: number[] };

function readPositions(bytes: Uint8Array): Positions {
  const scanner = new XmlScanner(bytes);
  const [tracks, points] = [new TimedPositions(), new TimedPositions()];
  const partStarts: number[] = [];
  let inside: TimedPositions = points;
  for (let tag = scanner.next(); tag !== 'end'; tag = scanner.next()) {
    if (scanner.isNamed(TRACK)) {
      tracks.finishPart();
      inside = tag === 'open' && !scanner.isSelfClosing ? tracks : points;
      if (inside === tracks) partStarts.push(tracks.recorder.length);
    } else if (scanner.isNamed(PLACEMARK)) {
      points.finishPart();
    } else if (tag === 'open') {
      readElement(scanner, inside, inside === tracks);
    }
  }
  tracks.finishPart();
  points.finishPart();
  return { tracks, points, partStarts };
}

/** The `<coordinates>` of a line have no times beside them, and are left out with their placemark. */
function readElement(scanner: XmlScanner, inside: TimedPositions, isTrack: boolean): void {
  if (scanner.isNamed(TIME)) inside.addTime(scanner.text());
  else if (scanner.isNamed(isTrack ? TRACK_POSITION : COORDINATES)) inside.addPosition(scanner.text());
}

function refuseUntimed(tracks: TimedPositions, points: TimedPositions): void {
  if (tracks.timeCount + points.timeCount === 0) {
    throw new UnreadableLapFileError(
      'This KML file has no times of its positions, so laps cannot be timed; export the recording as CSV, VBO or GPX.',
    );
  }
  if (tracks.recorder.isEmpty && points.recorder.isEmpty) {
    throw new UnreadableLapFileError(
      'This KML file has times but no positions beside them; it was cut off or holds no track, so export the recording again.',
    );
  }
}

/** Brings the times and the positions of a track, or of a placemark, together: the first with the first. */
class TimedPositions {
  readonly recorder = new LapFileRecorder();
  timeCount = 0;
  hasZone = true;
  #timesMs: number[] = [];
  #lats: number[] = [];
  #lons: number[] = [];

  addTime({ bytes, start, end }: Slice): void {
    if (this.timeCount === 0) this.hasZone = hasZone(bytes, start, end);
    this.timeCount++;
    this.#timesMs.push(parseDateTime(bytes, start, end));
  }

  addPosition({ bytes, start, end }: Slice): void {
    const lonStart = skip(bytes, start, end, isBetween);
    const lonEnd = skip(bytes, lonStart, end, isNumber);
    const latStart = skip(bytes, lonEnd, end, isBetween);
    const latEnd = skip(bytes, latStart, end, isNumber);
    this.#lons.push(parseDecimal(bytes, lonStart, lonEnd));
    this.#lats.push(parseDecimal(bytes, latStart, latEnd));
  }

  /** Records the positions so far. A position, or a time, too many is counted; positions without any time are left out. */
  finishPart(): void {
    const isPaired = this.#lats.length > 0 && this.#timesMs.length > 0;
    const count = isPaired ? Math.max(this.#lats.length, this.#timesMs.length) : 0;
    for (let index = 0; index < count; index++) {
      const timeMs = this.#timesMs[index] ?? Number.NaN;
      this.recorder.add(timeMs, this.#lats[index] ?? Number.NaN, this.#lons[index] ?? Number.NaN, Number.NaN);
    }
    this.#timesMs = [];
    this.#lats = [];
    this.#lons = [];
  }
}

const SPACE = 0x20;
const COMMA = 0x2c;

function isBetween(byte: number): boolean {
  return byte <= SPACE || byte === COMMA;
}

function isNumber(byte: number): boolean {
  return !isBetween(byte);
}

function skip(bytes: Uint8Array, start: number, end: number, isSkipped: (byte: number) => boolean): number {
  let at = start;
  while (at < end && isSkipped(bytes[at] ?? SPACE)) at++;
  return at;
}
