import { encodePhonePosition } from '#engine/receivers/phone-positions.ts';
import type { StreamChunk, StreamKind } from '#engine/receivers/live-fix.ts';
import { RACECHRONO_MAIN, RACECHRONO_TIME } from '#engine/receivers/racechrono-decoder.ts';
import { RecordingWriter } from '#engine/recording/write-recording.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import { ByteWriter } from './byte-writer.ts';
import { DEVICE_WRITERS } from './write-devices.ts';
import { writeQstarzBin } from './write-qstarz-bin.ts';
import { writeRaceBoxFrames, writeUbx } from './write-ubx.ts';

type Fix = SimulatedDrive['fixes'][number];
type Message = { bytes: Uint8Array; channel: number; atMs: number };

/** Says what a simulated receiver sends, and in which pieces. `mostBytes` is what one notification holds: 20 to 244 by the radio. */
export type StreamOptions = {
  kind: Exclude<StreamKind, 'serial'> | 'racebox' | 'serial-nmea' | 'serial-ubx';
  seed: number;
  mostBytes?: number;
  /** The bytes of a fix arrive this long after its moment. */
  delayMs?: number;
};

const STREAM_KIND_OF: Readonly<Record<StreamOptions['kind'], StreamKind>> = {
  racebox: 'ubx',
  ubx: 'ubx',
  nmea: 'nmea',
  'serial-nmea': 'serial',
  'serial-ubx': 'serial',
  'racechrono-diy': 'racechrono-diy',
  qstarz: 'qstarz',
  phone: 'phone',
};

/** Returns the kind of stream that a simulated receiver sends. */
export function getStreamKind(kind: StreamOptions['kind']): StreamKind {
  return STREAM_KIND_OF[kind];
}

/**
 * Returns what arrives of a receiver on a drive: bytes of a stream are joined and cut anywhere, as radios and ports do it; notifications
 * of RaceChrono DIY, Qstarz and the phone come as they are. Same seed, same pieces.
 */
export function streamDrive(drive: SimulatedDrive, options: StreamOptions): StreamChunk[] {
  const { kind, seed, mostBytes = 244, delayMs = 40 } = options;
  const messages = drive.fixes.flatMap((fix, index) => {
    const one = { ...drive, fixes: [fix] };
    return listMessages(kind, { fix, before: drive.fixes[index - 1], one });
  });
  const arrival = ({ atMs }: Message) => Math.round(atMs + delayMs);
  if (kind === 'racechrono-diy' || kind === 'qstarz' || kind === 'phone') {
    return messages.map((message) => ({
      bytes: message.bytes,
      channel: message.channel,
      arrivalMs: arrival(message),
    }));
  }
  const random = seededRandom(seed);
  const chunks: StreamChunk[] = [];
  let waiting = new ByteWriter();
  for (const message of messages) {
    waiting.append(message.bytes);
    if (random.uniform() < 0.3 && message !== messages.at(-1)) continue;
    const bytes = waiting.finish();
    waiting = new ByteWriter();
    for (let from = 0; from < bytes.length;) {
      const to = from + 1 + Math.floor(random.uniform() * mostBytes);
      chunks.push({ bytes: bytes.slice(from, to), channel: 0, arrivalMs: arrival(message) });
      from = to;
    }
  }
  return chunks;
}

/** Writes a drive as Pitboard records it from such a receiver. */
export function recordDrive(
  drive: SimulatedDrive,
  options: StreamOptions & { model?: string },
): Uint8Array<ArrayBuffer> {
  const startedAtMs = drive.fixes[0]?.timeMs ?? 0;
  const stream = getStreamKind(options.kind);
  const { writer, bytes } = RecordingWriter.start({ stream, model: options.model ?? null, startedAtMs });
  const file = new ByteWriter().append(bytes);
  let lastMs = startedAtMs;
  for (const chunk of streamDrive(drive, options)) {
    file.append(writer.chunk(chunk));
    lastMs = chunk.arrivalMs;
  }
  return Uint8Array.from(file.append(writer.end(lastMs)).finish());
}

/** `one` is a drive of nothing but the fix. */
type SentFix = { fix: Fix; before: Fix | undefined; one: SimulatedDrive };

function listMessages(kind: StreamOptions['kind'], { fix, before, one }: SentFix): Message[] {
  const message = (bytes: Uint8Array, channel = 0): Message => ({ bytes, channel, atMs: fix.timeMs });
  switch (kind) {
    case 'racebox':
      return [message(writeRaceBoxFrames(one))];
    case 'ubx':
    case 'serial-ubx':
      return [message(writeUbx(one))];
    case 'nmea':
    case 'serial-nmea':
      return [message(new ByteWriter().ascii(DEVICE_WRITERS.nmea(one)).finish())];
    case 'qstarz':
      return qstarzPieces(writeQstarzBin(one)).map((bytes) => message(bytes));
    case 'racechrono-diy':
      return raceChronoMessages(fix, before).map(({ bytes, channel }) => message(bytes, channel));
    default:
      return [message(phonePosition(fix))];
  }
}

function phonePosition({ timeMs, lat, lon, speedMetersPerSecond }: Fix): Uint8Array {
  const unknown = { altitude: null, altitudeAccuracy: null, heading: null };
  const coords = { latitude: lat, longitude: lon, accuracy: 5, speed: speedMetersPerSecond, ...unknown };
  return encodePhonePosition({ timestamp: timeMs, coords });
}

/** The record of the memory without its last bytes, and in every second one something about satellites behind it. */
function qstarzPieces(record: Uint8Array): Uint8Array[] {
  const hasSatellites = record[2] !== undefined && record[2] % 2 === 0;
  const tail = hasSatellites ? [5, 0x46, 3, 0, 0x3b, 0, 0, 0x41, 0x0c, 0, 0x13, 0, 0, 0x55, 0x11, 0] : [];
  const bytes = Uint8Array.of(...record.subarray(0, 56), 0, 0, ...(hasSatellites ? [0, 0] : []), ...tail);
  return Array.from({ length: Math.ceil(bytes.length / 20) }, (_, index) =>
    bytes.slice(20 * index, 20 * (index + 1)),
  );
}

function raceChronoMessages(fix: Fix, before: Fix | undefined): { bytes: Uint8Array; channel: number }[] {
  const hourOf = (timeMs: number) => Math.floor(timeMs / HOUR_MS);
  const hour = hourOf(fix.timeMs);
  const date = new Date(hour * HOUR_MS);
  const sync = hour % 8;
  const main = new ByteWriter({ isLittleEndian: false })
    .uint8(...threeBytes(sync, Math.floor((fix.timeMs - hour * HOUR_MS) / 2)))
    .uint8((1 << 6) | 12)
    .int32(fix.lat * 1e7, fix.lon * 1e7)
    .uint16(6000, Math.round(fix.speedMetersPerSecond * 360), 9000)
    .uint8(7, 9);
  const messages = [{ bytes: main.finish(), channel: RACECHRONO_MAIN }];
  if (before !== undefined && hourOf(before.timeMs) === hour) return messages;
  const hours =
    (date.getUTCFullYear() - 2000) * 8928 +
    date.getUTCMonth() * 744 +
    (date.getUTCDate() - 1) * 24 +
    date.getUTCHours();
  // The hour comes after the first fix of it.
  return [...messages, { bytes: Uint8Array.of(...threeBytes(sync, hours)), channel: RACECHRONO_TIME }];
}

const HOUR_MS = 3_600_000;

function threeBytes(sync: number, value: number): [number, number, number] {
  return [(sync << 5) | (value >> 16), (value >> 8) & 0xff, value & 0xff];
}
