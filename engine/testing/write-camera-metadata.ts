import type { DrivenFix, SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeMetadataVideo } from './write-gopro-mp4.ts';

/** Writes a drive as the videos of cameras that are no GoPro hold it, by the kind of their track of metadata. */
export const CAMERA_WRITERS: Readonly<Record<string, (drive: SimulatedDrive) => Uint8Array>> = {
  camm: ({ fixes }) =>
    writeMetadataVideo({ kind: 'camm', samples: fixes.map((fix) => camm(fix, 1980)), sampleMs: 200 }),
  djmd: ({ fixes }) =>
    writeMetadataVideo({
      kind: 'djmd',
      samples: fixes.map((fix) => join(PROTOCOL, djmd(fix))),
      sampleMs: 200,
    }),
  tx3g: ({ fixes }) =>
    writeMetadataVideo({
      kind: 'tx3g',
      samples: fixes.map(({ lat, lon }) => subtitle(`GPS (${lon.toFixed(5)}, ${lat.toFixed(5)}, 17)`)),
      sampleMs: 200,
    }),
};

const GPS_EPOCH_MS = Date.UTC(1980, 0, 6);

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

export function join(...parts: (Uint8Array | number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function double(value: number): Uint8Array {
  return new Uint8Array(Float64Array.of(value).buffer);
}

/** Writes a packet of CAMM with the camera's motion. */
export function motion(): Uint8Array {
  return join([0, 0, 2, 0], new Uint8Array(12));
}

/** Writes a fix as CAMM, in seconds since 1980 by satellites or since 1970. */
export function camm(
  { timeMs, lat, lon, speedMetersPerSecond }: DrivenFix,
  since: 1970 | 1980,
  kind = 3,
): Uint8Array {
  const seconds = (since === 1980 ? timeMs - GPS_EPOCH_MS + 18_000 : timeMs) / 1_000;
  const velocity = new Uint8Array(Float32Array.of(30, 1, 1, speedMetersPerSecond, 0, 0, 0.1).buffer);
  return join([0, 0, 6, 0], double(seconds), [kind, 0, 0, 0], double(lat), double(lon), velocity);
}

/** Writes a packet of CAMM with a position alone. */
export function position({ lat, lon }: DrivenFix): Uint8Array {
  return join([0, 0, 5, 0], double(lat), double(lon), double(30));
}

/** Writes a field of Protocol Buffers: bytes, or a small number. */
export function field(number: number, content: Uint8Array | number): Uint8Array {
  if (typeof content === 'number') return Uint8Array.of(number * 8, content);
  const length =
    content.length < 128 ? [content.length] : [(content.length % 128) + 128, content.length >> 7];
  return join([number * 8 + 2], length, content);
}

function doubleField(number: number, value: number): Uint8Array {
  return join([number * 8 + 1], double(value));
}

/** Names the protocol of a DJI camera, as the first field of its metadata does. */
export const PROTOCOL = field(1, field(1, field(1, bytesOf('dvtm_ac204.proto'))));

/** Writes a fix as DJI's metadata. */
export function djmd({ timeMs, lat, lon }: DrivenFix, perDegree = 1): Uint8Array {
  const units = perDegree === 1 ? field(1, 1) : new Uint8Array();
  const place = join(units, doubleField(2, lat * perDegree), doubleField(3, lon * perDegree));
  const time = bytesOf(new Date(timeMs).toISOString().slice(0, 19).replace('T', ' '));
  return field(3, field(4, field(2, join(field(1, place), field(2, 120), field(6, field(1, time))))));
}

/** Writes a sample of a text track. */
export function subtitle(text: string): Uint8Array {
  const letters = bytesOf(text);
  return join([letters.length >> 8, letters.length % 256], letters);
}
