/**
 * FIT, as Garmin's Catalyst, watches and cycling computers record, and others export. Facts: the protocol that Garmin publishes.
 *
 * - A header with `.FIT` behind its sizes, then messages: definitions say which fields the data messages of a local type have, with sizes and
 *   byte order. Fields that are not needed are passed over by their sizes. Several such files may follow each other.
 * - `record` has whole seconds; `gps_metadata` has milliseconds, ten times a second, in recordings of cars. The one with more positions counts.
 * - Positions are semicircles: 2³¹ are 180°. Times count seconds from 31 December 1989. The largest number of a type means unknown.
 * - Times below 2²⁸ are system time, in seconds since power-on, as cameras of the VIRB series write them;
 *   `timestamp_correlation` gives the UTC time of one of them, and `gps_metadata` the second in which the receiver took each position.
 * - Laps by position are laps of a track; those by distance, time or a button are none.
 */
import { UnreadableLapFileError, type LoggerLap } from '../../lap-file.ts';
import { hasAscii, viewBytes, type BinaryLapFileFormat } from '../binary/binary-format.ts';
import { LapFileRecorder } from '../rows/lap-file-format.ts';
import { roundingOfWritten } from '../rows/lap-rounding.ts';

/** Reads what watches and bike computers of Garmin and others store: `.fit`. */
export const garminFit: BinaryLapFileFormat = {
  format: 'fit',
  name: 'FIT',
  recognise: (bytes) => hasAscii(bytes, SIGNATURE_OFFSET, '.FIT'),
  read: readFit,
};

const SIGNATURE_OFFSET = 8;
const HEADER_BYTES_MIN = 12;
const CHECKSUM_BYTES = 2;
const FIT_EPOCH_MS = Date.UTC(1989, 11, 31);
/** Times below this are system time, which counts from power-on. */
const SYSTEM_TIME_END_MS = 0x10000000 * 1000;
const DEGREES_PER_SEMICIRCLE = 180 / 2 ** 31;

/** FIT identifies messages and fields by these numbers; `timeMs` are the milliseconds behind the whole seconds. */
const LAP = 19;
const RECORD = 20;
const GPS_METADATA = 160;
const TIMESTAMP_CORRELATION = 162;
const TIMESTAMP = 253;
const FIELDS: Readonly<Record<number, Readonly<Record<number, FieldName>>>> = {
  [RECORD]: { [TIMESTAMP]: 'time', 0: 'lat', 1: 'lon', 6: 'speed', 73: 'fineSpeed' },
  [GPS_METADATA]: {
    [TIMESTAMP]: 'time',
    0: 'milliseconds',
    1: 'lat',
    2: 'lon',
    4: 'fineSpeed',
    6: 'utcTime',
  },
  [TIMESTAMP_CORRELATION]: {
    [TIMESTAMP]: 'time',
    1: 'systemTime',
    4: 'milliseconds',
    5: 'systemMilliseconds',
  },
  [LAP]: { [TIMESTAMP]: 'time', 2: 'startTime', 7: 'elapsed', 24: 'trigger' },
};
type FieldName =
  | 'time'
  | 'milliseconds'
  | 'utcTime'
  | 'systemTime'
  | 'systemMilliseconds'
  | 'lat'
  | 'lon'
  | 'speed'
  | 'fineSpeed'
  | 'startTime'
  | 'elapsed'
  | 'trigger';
/** A position begins or ends such a lap: the start, the lap, a waypoint, a mark. */
const POSITION_TRIGGERS = new Set([3, 4, 5, 6]);

type Field = { name: FieldName | undefined; sizeBytes: number; isSigned: boolean };
type Definition = { message: number; isLittleEndian: boolean; fields: Field[]; sizeBytes: number };
/** Describes the fields of one data message; NaN where it has none. */
type Values = Record<FieldName, number>;

function readFit(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const reader = new FitReader(bytes);
  for (let start = 0; hasAscii(bytes, start + SIGNATURE_OFFSET, '.FIT');) start = reader.readFile(start);
  return reader.finish();
}

class FitReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #records = new LapFileRecorder();
  readonly #metadata = new LapFileRecorder();
  readonly #laps: Values[] = [];
  readonly #definitions = new Map<number, Definition>();
  #lastTime = Number.NaN;
  /** The FIT time of power-on; NaN where no message gives it. */
  #powerOnMs = Number.NaN;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = viewBytes(bytes);
  }

  /** Reads the file that begins here, as far as it goes; returns where the next one would begin. */
  readFile(start: number): number {
    this.#definitions.clear();
    const headerBytes = Math.max(HEADER_BYTES_MIN, this.#bytes[start] ?? 0);
    const dataBytes = this.#view.getUint32(start + 4, true);
    // A recording that was never ended has 0 there.
    const end =
      dataBytes === 0 ? this.#bytes.length : Math.min(this.#bytes.length, start + headerBytes + dataBytes);
    let at = start + headerBytes;
    while (at < end) {
      const next = this.#readMessage(at, end);
      if (next === null) break;
      at = next;
    }
    return end + CHECKSUM_BYTES;
  }

  /** Returns where the next message begins; null where this one is cut off or was never defined. */
  #readMessage(at: number, end: number): number | null {
    const header = this.#bytes[at] ?? 0;
    const isCompressed = (header & 0x80) !== 0;
    if (!isCompressed && (header & 0x40) !== 0) return this.#readDefinition(at, end, header);
    const definition = this.#definitions.get(isCompressed ? (header >> 5) & 3 : header & 15);
    if (definition === undefined || at + 1 + definition.sizeBytes > end) return null;
    if (definition.message in FIELDS) {
      this.#use(definition.message, this.#readValues(at + 1, definition, isCompressed ? header & 31 : null));
    }
    return at + 1 + definition.sizeBytes;
  }

  #readDefinition(at: number, end: number, header: number): number | null {
    const fieldCount = this.#bytes[at + 5] ?? 0;
    const fieldsEnd = at + 6 + 3 * fieldCount;
    if (fieldsEnd > end) return null;
    const isLittleEndian = this.#bytes[at + 2] === 0;
    const message = this.#view.getUint16(at + 3, isLittleEndian);
    const fields = Array.from({ length: fieldCount }, (_, index): Field => {
      const [number = 0, sizeBytes = 0, type = 0] = this.#bytes.subarray(at + 6 + 3 * index);
      return { name: FIELDS[message]?.[number], sizeBytes, isSigned: (type & 31) === 5 };
    });
    const hasDeveloperFields = (header & 0x20) !== 0;
    const developerCount = hasDeveloperFields ? (this.#bytes[fieldsEnd] ?? 0) : 0;
    const definitionEnd = fieldsEnd + (hasDeveloperFields ? 1 + 3 * developerCount : 0);
    if (definitionEnd > end) return null;
    for (let index = 0; index < developerCount; index += 1) {
      const sizeBytes = this.#bytes[fieldsEnd + 2 + 3 * index] ?? 0;
      fields.push({ name: undefined, sizeBytes, isSigned: false });
    }
    const sizeBytes = fields.reduce((sum, field) => sum + field.sizeBytes, 0);
    this.#definitions.set(header & 15, { message, isLittleEndian, fields, sizeBytes });
    return definitionEnd;
  }

  #readValues(start: number, { fields, isLittleEndian }: Definition, timeOffset: number | null): Values {
    const values = { ...NO_VALUES };
    let at = start;
    for (const field of fields) {
      if (field.name !== undefined) values[field.name] = this.#number(at, field, isLittleEndian);
      at += field.sizeBytes;
    }
    // The last five bits of a time, which runs on from the last whole one.
    if (timeOffset !== null) values.time = this.#lastTime + ((timeOffset - (this.#lastTime & 31)) & 31);
    if (!Number.isNaN(values.time)) this.#lastTime = values.time;
    return values;
  }

  #number(at: number, { sizeBytes, isSigned }: Field, isLittleEndian: boolean): number {
    if (sizeBytes === 1) return known(this.#view.getUint8(at), 0xff);
    if (sizeBytes === 2) return known(this.#view.getUint16(at, isLittleEndian), 0xffff);
    if (sizeBytes !== 4) return Number.NaN;
    return isSigned
      ? known(this.#view.getInt32(at, isLittleEndian), 0x7fffffff)
      : known(this.#view.getUint32(at, isLittleEndian), 0xffffffff);
  }

  #use(message: number, values: Values): void {
    if (message === LAP) {
      this.#laps.push(values);
      return;
    }
    const timeMs = toMilliseconds(values.time, values.milliseconds);
    if (message === TIMESTAMP_CORRELATION) {
      this.#powerOnMs = timeMs - toMilliseconds(values.systemTime, values.systemMilliseconds);
      return;
    }
    const isSystemTime = timeMs < SYSTEM_TIME_END_MS && values.utcTime * 1000 >= SYSTEM_TIME_END_MS;
    if (isSystemTime && Number.isNaN(this.#powerOnMs)) this.#powerOnMs = values.utcTime * 1000 - timeMs;
    const recorder = message === RECORD ? this.#records : this.#metadata;
    const speed = Number.isNaN(values.fineSpeed) ? values.speed : values.fineSpeed;
    recorder.add(
      timeMs,
      values.lat * DEGREES_PER_SEMICIRCLE,
      values.lon * DEGREES_PER_SEMICIRCLE,
      speed / 1000,
    );
  }

  finish(): ReturnType<BinaryLapFileFormat['read']> {
    const recorder = this.#metadata.length > this.#records.length ? this.#metadata : this.#records;
    if (recorder.length === 0 && Object.keys(recorder.dropped).length === 0) {
      throw new UnreadableLapFileError(
        'This FIT file holds no recorded positions; upload the activity of a drive that was recorded with GPS.',
      );
    }
    const { isReordered, ...recorded } = recorder.finish((timesMs) => {
      timesMs.forEach((timeMs, index) => (timesMs[index] = this.#toEpoch(timeMs)));
      return timesMs.every((timeMs) => timeMs >= FIT_EPOCH_MS + SYSTEM_TIME_END_MS) ? 'utc' : 'elapsed';
    }, 1);
    return {
      ...recorded,
      loggerLaps: isReordered ? [] : findLaps(this.#laps, (timeMs) => this.#toEpoch(timeMs)),
    };
  }

  /** Turns a time of the file into epoch milliseconds; system time only where the file gives the time of power-on. */
  #toEpoch(timeMs: number): number {
    const isSystemTime = timeMs < SYSTEM_TIME_END_MS && !Number.isNaN(this.#powerOnMs);
    return FIT_EPOCH_MS + timeMs + (isSystemTime ? this.#powerOnMs : 0);
  }
}

const NO_VALUES: Values = {
  time: Number.NaN,
  milliseconds: Number.NaN,
  utcTime: Number.NaN,
  systemTime: Number.NaN,
  systemMilliseconds: Number.NaN,
  lat: Number.NaN,
  lon: Number.NaN,
  speed: Number.NaN,
  fineSpeed: Number.NaN,
  startTime: Number.NaN,
  elapsed: Number.NaN,
  trigger: Number.NaN,
};

function known(value: number, unknown: number): number {
  return value === unknown ? Number.NaN : value;
}

function toMilliseconds(seconds: number, milliseconds: number): number {
  return seconds * 1000 + (Number.isNaN(milliseconds) ? 0 : milliseconds);
}

function findLaps(laps: readonly Values[], toEpoch: (timeMs: number) => number): LoggerLap[] {
  const timed = laps.filter(
    ({ trigger, elapsed, startTime }) => POSITION_TRIGGERS.has(trigger) && elapsed > 0 && startTime > 0,
  );
  const roundingMs = roundingOfWritten(timed.map(({ elapsed }) => elapsed));
  return timed.map(({ elapsed, startTime }, index) => ({
    number: index + 1,
    lapTimeMs: elapsed,
    startTimeMs: toEpoch(startTime * 1000),
    roundingMs,
  }));
}
