/**
 * The positions in DJI's videos. Facts: ExifTool's tables of DJI and QuickTime, and the samples in JuanIrache/DJI_SRT_Parser.
 *
 * - Drones write a subtitle for each second or frame: a length in 16 bits and text such as `[latitude: 59.302] [longitude: 18.203]`, or
 *   `GPS (18.203, 59.302, 16)` with the longitude first. Where the height has a unit (`0.0M`), the latitude is first.
 * - Osmo Action 4, 5 and 6 and Osmo 360 write Protocol Buffers for each frame. The field 3-4-2-1 holds whether its numbers are degrees, latitude
 *   and longitude; 3-4-2-6-1 is the date and time as text, in whole seconds.
 */
import { isOnEarth } from '../../geo.ts';
import { viewBytes } from '../binary/binary-format.ts';

export type DjiPosition = {
  lat: number;
  lon: number;
  /** UTC in whole seconds; NaN where the sample has none. */
  utcMs: number;
};

const NUMBER = String.raw`(-?\d{1,3}(?:\.\d{1,12})?)`;
const BRACKETS = new RegExp(String.raw`\[latitude ?: ?${NUMBER}\] ?\[longt?itude ?: ?${NUMBER}\]`);
const CALL = new RegExp(String.raw`\bGPS ?\(${NUMBER}, ?${NUMBER}, ?-?\d{1,5}(?:\.\d{1,6})?([A-Z]?)\)`);
const TEXT_BYTES_MAX = 4_000;

/** Reads the position in one subtitle; null for other text. Its date is left out, because it is the time of an unknown zone. */
export function readDjiSubtitle(bytes: Uint8Array): DjiPosition | null {
  if (bytes.length < 2) return null;
  const length = Math.min(viewBytes(bytes).getUint16(0), bytes.length - 2, TEXT_BYTES_MAX);
  const text = String.fromCharCode(...bytes.subarray(2, 2 + length));
  const [, lat, lon] = BRACKETS.exec(text) ?? [];
  if (lat !== undefined && lon !== undefined) return toPosition(Number(lat), Number(lon));
  const [, first, second, unit] = CALL.exec(text) ?? [];
  if (first === undefined || second === undefined) return null;
  return unit === '' ? toPosition(Number(second), Number(first)) : toPosition(Number(first), Number(second));
}

/** Returns null where a camera without a fix writes zeros, and for what is no position. */
function toPosition(lat: number, lon: number, utcMs = Number.NaN): DjiPosition | null {
  const isPosition = isOnEarth(lat, lon) && (lat !== 0 || lon !== 0);
  return isPosition ? { lat, lon, utcMs } : null;
}

/** Maps the protocols whose positions are known to the cameras that write them. */
const CAMERAS: Readonly<Record<string, string>> = {
  ac203: 'Osmo Action 4',
  ac204: 'Osmo Action 5',
  ac206: 'Osmo Action 6',
  oq101: 'Osmo 360',
};

/** Finds the camera by the name of its protocol, which is in the first sample; null where its positions are not known. */
export function findDjiCamera(bytes: Uint8Array): string | null {
  const text = String.fromCharCode(...bytes.subarray(0, TEXT_BYTES_MAX));
  const [, protocol = ''] = /dvtm_([\w-]{1,20})\.proto/.exec(text) ?? [];
  return CAMERAS[protocol] ?? null;
}

/** Reads the position in one sample of Protocol Buffers; null where it has none, or is damaged. */
export function readDjiMetadata(bytes: Uint8Array): DjiPosition | null {
  const gps = findField(bytes, 3, 4, 2);
  const place = gps && findField(gps, 1);
  const [lat, lon] = [place && readDouble(place, 2), place && readDouble(place, 3)];
  if (!place || lat == null || lon == null) return null;
  const perUnit = isDegrees(place) ? 1 : 180 / Math.PI;
  const time = findField(gps, 6, 1);
  return toPosition(lat * perUnit, lon * perUnit, time ? parseUtc(time) : Number.NaN);
}

const NUMBER_KIND = 0;
const BYTES_KIND = 2;
/** Counts the bytes of the kinds of fields that are always as long. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 8, 5: 4 };

type Field = { number: number; value: number; bytes: Uint8Array | null };

/** Lists the fields of a message; one that is damaged or reaches beyond the end ends it. */
function listFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  const cursor = { at: 0 };
  while (cursor.at < bytes.length) {
    const tag = readVarint(bytes, cursor);
    const kind = tag % 8;
    const value = kind === NUMBER_KIND || kind === BYTES_KIND ? readVarint(bytes, cursor) : 0;
    const length = kind === BYTES_KIND ? value : FIXED_BYTES[kind];
    if (Number.isNaN(value) || length === undefined || cursor.at + length > bytes.length) break;
    const content = kind === NUMBER_KIND ? null : bytes.subarray(cursor.at, cursor.at + length);
    fields.push({ number: Math.floor(tag / 8), value, bytes: content });
    cursor.at += length;
  }
  return fields;
}

/** Reads a number of seven bits a byte, the lowest first; NaN where it does not end. */
function readVarint(bytes: Uint8Array, cursor: { at: number }): number {
  let value = 0;
  for (let shift = 0; shift < 10 && cursor.at < bytes.length; shift += 1) {
    const byte = bytes[cursor.at] ?? 0;
    cursor.at += 1;
    value += (byte % 128) * 2 ** (7 * shift);
    if (byte < 128) return value;
  }
  return Number.NaN;
}

/** Finds a field of fields by their numbers. */
function findField(bytes: Uint8Array, ...path: number[]): Uint8Array | null {
  let current: Uint8Array | null = bytes;
  for (const wanted of path) {
    if (current === null) return null;
    current = listFields(current).find(({ number }) => number === wanted)?.bytes ?? null;
  }
  return current;
}

function readDouble(bytes: Uint8Array, number: number): number | null {
  const content = findField(bytes, number);
  return content?.length === 8 ? viewBytes(content).getFloat64(0, true) : null;
}

function isDegrees(place: Uint8Array): boolean {
  return listFields(place).some(({ number, value }) => number === 1 && value === 1);
}

/** Parses `2026-05-16 09:30:00`; NaN for other text. */
function parseUtc(bytes: Uint8Array): number {
  const text = String.fromCharCode(...bytes.subarray(0, 40));
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(text) ?? [];
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`);
}
