import type { DrivenFix, SimulatedDrive } from '#engine/simulation/drive.ts';
import { DAY_MS } from '#engine/durations.ts';

/** Describes a video, as pieces of a file; what lies between them is the picture, of which nothing is written. */
export type VideoPieces = { sizeBytes: number; pieces: { offset: number; bytes: Uint8Array }[] };

/** States which camera it is, and what it does otherwise than in the open with GPS. */
export type GoProOptions = {
  /** `GPS5`: HERO5 to HERO10; `GPS9`: HERO13; `both`: HERO11; null without GPS. */
  stream?: 'GPS5' | 'GPS9' | 'both' | null;
  /** The letters of the firmware tell the model: HD9 is a HERO9, H23 a HERO12. */
  firmware?: string;
  /** Bytes of picture before each payload. */
  pictureBytes?: number;
  /** The kind of fix of each payload; 3 by default. */
  fixKind?: (payload: number) => number;
};

const PAYLOAD_MS = 1001;
const TIMESCALE = 1000;
const MIDNIGHT_2000_MS = Date.UTC(2000, 0, 1);

/** A drive as a GoPro films it: the picture left out, the positions as GPMF in a track of their own, the index at the end. */
export function writeGoProVideo({ fixes }: SimulatedDrive, options: GoProOptions = {}): VideoPieces {
  const { firmware = 'HD9', pictureBytes = 2000 } = options;
  const payloads = writePayloads(fixes, fixes[0]?.timeMs ?? 0, options);
  const type = box('ftyp', text('mp41'), long(0), text('mp41'));
  const dataStart = type.length + 16;
  let offset = dataStart;
  const placed = payloads.map((bytes) => {
    const piece = { offset: offset + pictureBytes, bytes };
    offset = piece.offset + bytes.length;
    return piece;
  });
  const dataHeader = join(long(1), text('mdat'), long(0), long(0));
  new DataView(dataHeader.buffer).setBigUint64(8, BigInt(offset - type.length));
  const index = writeIndex(placed, `${firmware}.01.01.10.00`);
  return {
    sizeBytes: offset + index.length,
    pieces: [{ offset: 0, bytes: join(type, dataHeader) }, ...placed, { offset, bytes: index }],
  };
}

function writePayloads(fixes: readonly DrivenFix[], startMs: number, options: GoProOptions): Uint8Array[] {
  const count = Math.floor(((fixes.at(-1)?.timeMs ?? startMs) - startMs) / PAYLOAD_MS) + 1;
  return Array.from({ length: count }, (_, index) => {
    const fromMs = startMs + index * PAYLOAD_MS;
    const own = fixes.filter(({ timeMs }) => timeMs >= fromMs && timeMs < fromMs + PAYLOAD_MS);
    return writePayload(own, fromMs, { ...options, fixKind: () => options.fixKind?.(index) ?? 3 });
  });
}

/** Describes a track of metadata: four letters for its kind, its samples, and how long each of them lasts. */
export type MetadataTrack = { kind: string; samples: readonly Uint8Array[]; sampleMs: number };

/** Writes a video of which there is only such a track. */
export function writeMetadataVideo(track: MetadataTrack): Uint8Array<ArrayBuffer> {
  return addMetadataTrack(join(box('ftyp', text('mp42'), long(0)), box('moov')), track);
}

/** Adds the positions of a drive to a video with a picture, which began at `startMs` and whose index is its last box. */
export function addGoProTrack(video: Uint8Array, { fixes }: SimulatedDrive, startMs: number): Uint8Array {
  const filmed = fixes.filter(({ timeMs }) => timeMs >= startMs);
  return addMetadataTrack(video, {
    kind: 'gpmd',
    samples: writePayloads(filmed, startMs, {}),
    sampleMs: PAYLOAD_MS,
  });
}

/** Adds a track to a video whose index is its last box. */
export function addMetadataTrack(
  video: Uint8Array,
  { kind, samples, sampleMs }: MetadataTrack,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(video.buffer, video.byteOffset, video.byteLength);
  const readLength = (at: number) =>
    view.getUint32(at) === 1 ? Number(view.getBigUint64(at + 8)) : view.getUint32(at);
  let indexAt = 0;
  while (indexAt + readLength(indexAt) < video.length) indexAt += readLength(indexAt);
  const oldIndex = video.subarray(indexAt + 8);
  const track = { kind, sampleMs };
  const trackBytes = writeTrack(
    samples.map((bytes) => ({ offset: 0, bytes })),
    track,
  ).length;
  let offset = indexAt + 8 + oldIndex.length + trackBytes + 8;
  const placed = samples.map((bytes) => {
    const piece = { offset, bytes };
    offset += bytes.length;
    return piece;
  });
  const index = box('moov', oldIndex, writeTrack(placed, track));
  return join(video.subarray(0, indexAt), index, box('mdat', ...samples));
}

/** Returns all of a small video in one piece; the picture is zeros. */
export function joinVideo({ sizeBytes, pieces }: VideoPieces): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  for (const piece of pieces) bytes.set(piece.bytes, piece.offset);
  return bytes;
}

function writePayload(
  fixes: readonly DrivenFix[],
  fromMs: number,
  { stream = 'GPS5', fixKind }: Pick<GoProOptions, 'stream'> & { fixKind: () => number },
): Uint8Array {
  const name = element('DVNM', 'c', 1, text('Camera'));
  const accelerations = element(
    'STRM',
    null,
    1,
    join(element('SCAL', 's', 2, short(418)), element('ACCL', 's', 6, new Uint8Array(60))),
  );
  const untimed = stream === 'GPS5' || stream === 'both' ? [gps5(fixes, fromMs, fixKind())] : [];
  const timed = stream === 'GPS9' || stream === 'both' ? [gps9(fixes, fixKind())] : [];
  return element('DEVC', null, 1, join(name, accelerations, ...untimed, ...timed));
}

function gps5(fixes: readonly DrivenFix[], fromMs: number, fixKind: number): Uint8Array {
  const time = new Date(fromMs)
    .toISOString()
    .replaceAll(/[-:TZ]/g, '')
    .slice(2);
  const rows = fixes.map(({ lat, lon, speedMetersPerSecond }) =>
    join(
      long(lat * 1e7),
      long(lon * 1e7),
      long(12_000),
      long(speedMetersPerSecond * 1000),
      long(speedMetersPerSecond * 100),
    ),
  );
  return element(
    'STRM',
    null,
    1,
    join(
      element('GPSF', 'L', 4, long(fixKind)),
      element('GPSU', 'U', 16, text(time)),
      element('GPSP', 'S', 2, short(160)),
      element('SCAL', 'l', 4, join(...[1e7, 1e7, 1000, 1000, 100].map(long))),
      element('GPS5', 'l', 20, join(...rows)),
    ),
  );
}

function gps9(fixes: readonly DrivenFix[], fixKind: number): Uint8Array {
  const rows = fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }) => {
    const sinceMs = timeMs - MIDNIGHT_2000_MS;
    return join(
      ...[lat * 1e7, lon * 1e7, 12_000, speedMetersPerSecond * 1000, speedMetersPerSecond * 100].map(long),
      long(Math.floor(sinceMs / DAY_MS)),
      long(sinceMs % DAY_MS),
      short(160),
      short(fixKind),
    );
  });
  return element(
    'STRM',
    null,
    1,
    join(
      element('TYPE', 'c', 1, text('lllllllSS')),
      element('SCAL', 'l', 4, join(...[1e7, 1e7, 1000, 1000, 100, 1, 1000, 100, 1].map(long))),
      element('GPS9', '?', 32, join(...rows)),
    ),
  );
}

type PlacedPayload = { offset: number; bytes: Uint8Array };

function writeIndex(samples: readonly PlacedPayload[], firmware: string): Uint8Array {
  return box('moov', box('udta', box('FIRM', text(firmware))), writeTrack(samples));
}

function writeTrack(
  samples: readonly PlacedPayload[],
  { kind, sampleMs }: { kind: string; sampleMs: number } = { kind: 'gpmd', sampleMs: PAYLOAD_MS },
): Uint8Array {
  const offsets = join(
    ...samples.map(({ offset }) => join(long(Math.floor(offset / 2 ** 32)), long(offset % 2 ** 32))),
  );
  const tables = box(
    'stbl',
    box('stsd', long(0), long(1), long(20), text(kind), new Uint8Array(12)),
    box('stts', long(0), long(1), long(samples.length), long(sampleMs)),
    box('stsc', long(0), long(1), long(1), long(1), long(1)),
    box(
      'stsz',
      long(0),
      long(0),
      long(samples.length),
      join(...samples.map(({ bytes }) => long(bytes.length))),
    ),
    box('co64', long(0), long(samples.length), offsets),
  );
  const header = box(
    'mdhd',
    long(0),
    long(0),
    long(0),
    long(TIMESCALE),
    long(samples.length * sampleMs),
    long(0),
  );
  return box('trak', box('mdia', header, box('minf', tables)));
}

/** Returns an element of GPMF: its content in rows of `sizeBytes`; type null holds elements. */
function element(key: string, type: string | null, sizeBytes: number, content: Uint8Array): Uint8Array {
  const padding = new Uint8Array((4 - (content.length % 4)) % 4);
  const head = Uint8Array.of(type === null ? 0 : type.charCodeAt(0), sizeBytes);
  return join(text(key), head, short(content.length / sizeBytes), content, padding);
}

function box(type: string, ...content: Uint8Array[]): Uint8Array {
  const whole = join(...content);
  return join(long(whole.length + 8), text(type), whole);
}

/** Returns numbers with their highest byte first. */
function long(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Math.round(value) >>> 0);
  return bytes;
}

function short(value: number): Uint8Array {
  return Uint8Array.of((value >> 8) & 0xff, value & 0xff);
}

function text(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
