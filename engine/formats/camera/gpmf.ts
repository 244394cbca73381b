/**
 * GPMF, the metadata of GoPro's cameras. Facts: the documentation in gopro/gpmf-parser.
 *
 * - Elements of a key of four letters, a type, a size and a count (highest byte first), padded to four bytes; type 0 holds elements.
 * - `GPS5` (HERO5 to HERO10): latitude, longitude, height, two speeds, 18 a second without times of their own. `GPSU` is the time (UTC) of the
 *   payload, `GPSF` its kind of fix (0 none, 2, 3), `GPSP` its dilution of precision × 100.
 * - `GPS9` (HERO11, HERO13): the same with days since 2000, seconds of the day, precision and fix for each. A HERO11 writes `GPS5` as well.
 * - `SCAL` divides the numbers of the element behind it.
 */
import { hasAscii, viewBytes } from '../binary/binary-format.ts';
import { DAY_MS } from '../../durations.ts';

/** Describes one position. `timeMs` is UTC; NaN where only the payload has a time. */
export type CameraSample = {
  timeMs: number;
  lat: number;
  lon: number;
  speedMetersPerSecond: number;
  /** 0 without a fix, 2 or 3 dimensions. */
  fixKind: number;
  /** Dilution of precision: 1 is ideal, above 5 is poor. NaN where the camera does not say. */
  precision: number;
};

export type CameraPayload = {
  samples: CameraSample[];
  /** UTC of the payload; NaN where it has none. */
  timeMs: number;
  /** The camera's name for itself; empty where it has none. */
  device: string;
};

type Element = { key: string; type: number; sizeBytes: number; count: number; offset: number };

const HEADER_BYTES = 8;
const NESTED = 0;
const DEEPEST = 8;
const MIDNIGHT_2000_MS = Date.UTC(2000, 0, 1);

/** Reads the positions of one payload; damaged elements end it. */
export function readPayload(bytes: Uint8Array): CameraPayload {
  const payload: CameraPayload = { samples: [], timeMs: Number.NaN, device: '' };
  readElements(bytes, { from: 0, to: bytes.length, depth: 0 }, payload);
  return payload;
}

function readElements(
  bytes: Uint8Array,
  { from, to, depth }: { from: number; to: number; depth: number },
  payload: CameraPayload,
): void {
  const stream = new Map<string, Element>();
  for (let at = from; at + HEADER_BYTES <= to;) {
    const element = readElement(bytes, at);
    const length = element.sizeBytes * element.count;
    if (element.offset + length > to) return;
    if (element.type === NESTED && depth < DEEPEST)
      readElements(bytes, { from: element.offset, to: element.offset + length, depth: depth + 1 }, payload);
    stream.set(element.key, element);
    if (element.key === 'DVNM') payload.device ||= readText(bytes, element);
    else if (element.key === 'GPS5') readGps5(bytes, element, stream, payload);
    else if (element.key === 'GPS9') readGps9(bytes, element, stream, payload);
    at = element.offset + 4 * Math.ceil(length / 4);
  }
}

function readElement(bytes: Uint8Array, at: number): Element {
  const view = viewBytes(bytes);
  return {
    key: String.fromCharCode(...bytes.subarray(at, at + 4)),
    type: view.getUint8(at + 4),
    sizeBytes: view.getUint8(at + 5),
    count: view.getUint16(at + 6),
    offset: at + HEADER_BYTES,
  };
}

function readText(bytes: Uint8Array, { offset, sizeBytes, count }: Element): string {
  const text = String.fromCharCode(...bytes.subarray(offset, offset + sizeBytes * count));
  return text.replaceAll(/[^ -~]/g, '').trim();
}

/** Reads the divisors of an element's numbers; one may count for all. */
function readScales(bytes: Uint8Array, scale: Element | undefined, count: number): number[] {
  const view = viewBytes(bytes);
  const one = (index: number) => {
    if (scale === undefined || scale.count === 0) return 1;
    const at = scale.offset + scale.sizeBytes * Math.min(index, scale.count - 1);
    return scale.sizeBytes === 4 ? view.getInt32(at) : scale.sizeBytes === 2 ? view.getInt16(at) : 1;
  };
  return Array.from({ length: count }, (_, index) => one(index) || 1);
}

function readGps5(
  bytes: Uint8Array,
  element: Element,
  stream: ReadonlyMap<string, Element>,
  payload: CameraPayload,
): void {
  if (element.sizeBytes !== 20) return;
  const view = viewBytes(bytes);
  const scales = readScales(bytes, stream.get('SCAL'), 5);
  const fixKind = readNumber(view, stream.get('GPSF'), 4);
  const precision = readNumber(view, stream.get('GPSP'), 2) / 100;
  const time = stream.get('GPSU');
  if (time !== undefined) payload.timeMs = parseUtc(readText(bytes, time));
  for (let index = 0; index < element.count; index += 1) {
    const at = element.offset + 20 * index;
    const [lat = 0, lon = 0, , speed = 0] = scales.map(
      (scale, column) => view.getInt32(at + 4 * column) / scale,
    );
    const known = { lat, lon, speedMetersPerSecond: speed, fixKind, precision };
    payload.samples.push({ timeMs: Number.NaN, ...known });
  }
}

/** Reads the first number of an element of this size; NaN where it has none. */
function readNumber(view: DataView, element: Element | undefined, sizeBytes: 2 | 4): number {
  if (element === undefined || element.sizeBytes !== sizeBytes || element.count === 0) return Number.NaN;
  return sizeBytes === 2 ? view.getUint16(element.offset) : view.getUint32(element.offset);
}

/** A row is `lllllllSS`: seven numbers of 32 bits, two of 16. */
const GPS9_BYTES = 32;

function readGps9(
  bytes: Uint8Array,
  element: Element,
  stream: ReadonlyMap<string, Element>,
  payload: CameraPayload,
): void {
  const layout = stream.get('TYPE');
  if (
    element.sizeBytes !== GPS9_BYTES ||
    layout === undefined ||
    !hasAscii(bytes, layout.offset, 'lllllllSS')
  )
    return;
  const view = viewBytes(bytes);
  const scales = readScales(bytes, stream.get('SCAL'), 9);
  for (let index = 0; index < element.count; index += 1) {
    const at = element.offset + GPS9_BYTES * index;
    const long = (column: number) => view.getInt32(at + 4 * column) / (scales[column] ?? 1);
    payload.samples.push({
      timeMs: MIDNIGHT_2000_MS + long(5) * DAY_MS + Math.round(long(6) * 1000),
      lat: long(0),
      lon: long(1),
      speedMetersPerSecond: long(3),
      precision: view.getUint16(at + 28) / (scales[7] ?? 1),
      fixKind: view.getUint16(at + 30) / (scales[8] ?? 1),
    });
  }
}

/** Parses `170416204313.900`: year, month, day and time. */
function parseUtc(text: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:\.\d{1,3})?)$/.exec(text) ?? [];
  return year === undefined
    ? Number.NaN
    : Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
