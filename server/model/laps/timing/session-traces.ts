import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { encodeLapTrace } from '#engine/comparison/lap-trace.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import type { Lap } from '#engine/timing/laps.ts';

// The traces of all laps of a lap file in one object: the length of a header in four bytes, the header as JSON, and the trace of each lap
// compressed by itself, so that a look at one lap unpacks no other.

const partsSchema = z.object({
  noiseMs: z.number(),
  driftMs: z.number(),
  interpolationMs: z.number(),
  clockMs: z.number(),
});

const headerSchema = z.object({
  engineVersion: z.literal(ENGINE_VERSION),
  laps: z.array(
    z.object({
      /** Since the first fix of the file. */
      startOffsetMs: z.number(),
      lapTimeMs: z.number(),
      uncertaintyParts: partsSchema.nullable(),
      byteCount: z.int().nonnegative(),
    }),
  ),
});

type Header = z.infer<typeof headerSchema>;

/** A lap among those of its file. */
export type LapMoment = { startOffsetMs: number; lapTimeMs: number };

/** The trace of a lap as `decodeLapTrace` reads it, and what the uncertainty of its time is made of. */
export type StoredTrace = Pick<Header['laps'][number], 'uncertaintyParts'> & { trace: Uint8Array };

const LENGTH_BYTES = 4;

/** The traces of some laps of a file as one object for the storage. */
export function packTraces(file: OpenedLapFile, laps: readonly Lap[]): Uint8Array {
  const firstFixMs = file.trace.fixes.timesMs[0] ?? 0;
  const traces = laps.map((lap) => deflateRawSync(encodeLapTrace({ ...file, lap })));
  const header: Header = {
    engineVersion: ENGINE_VERSION,
    laps: laps.map((lap, index) => ({
      startOffsetMs: lap.startTimeMs - firstFixMs,
      lapTimeMs: lap.lapTimeMs,
      uncertaintyParts: lap.uncertaintyParts ?? null,
      byteCount: traces[index]?.length ?? 0,
    })),
  };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, ...traces]);
}

/**
 * The trace of one lap in such an object; of laps that an earlier state of the file was timed to, that which is most of it. Null where there
 * is none, or where the object is damaged or of another version of the engine.
 */
export function findTrace(packed: Uint8Array, lap: LapMoment): StoredTrace | null {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const header = readHeader(bytes);
  if (header === null) return null;
  const nearest = header.laps.toSorted((a, b) => distance(a, lap) - distance(b, lap))[0];
  if (!nearest || distance(nearest, lap) > lap.lapTimeMs / 2) return null;
  const before = header.laps.slice(0, header.laps.indexOf(nearest));
  const start = header.end + before.reduce((sum, { byteCount }) => sum + byteCount, 0);
  const trace = inflate(bytes.subarray(start, start + nearest.byteCount));
  return trace && { trace, uncertaintyParts: nearest.uncertaintyParts };
}

/** Whether an object holds traces of this version of the engine. */
export function isCurrent(packed: Uint8Array): boolean {
  return readHeader(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)) !== null;
}

function distance(a: LapMoment, b: LapMoment): number {
  return Math.abs(a.startOffsetMs - b.startOffsetMs) + Math.abs(a.lapTimeMs - b.lapTimeMs);
}

function readHeader(bytes: Buffer): (Header & { end: number }) | null {
  if (bytes.length < LENGTH_BYTES) return null;
  const end = LENGTH_BYTES + bytes.readUInt32LE();
  if (end > bytes.length) return null;
  const header = headerSchema.safeParse(parseJson(bytes.toString('utf8', LENGTH_BYTES, end)));
  return header.success ? { ...header.data, end } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// The longest lap that is driven, at 25 Hz, many times over.
const TRACE_BYTES_MAX = 16 * 1024 * 1024;

function inflate(bytes: Buffer): Uint8Array | null {
  try {
    return inflateRawSync(bytes, { maxOutputLength: TRACE_BYTES_MAX });
  } catch {
    return null;
  }
}
