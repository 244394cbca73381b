import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { encodeLapTrace, TRACE_FORMAT_VERSION } from '#engine/comparison/lap-trace.ts';
import { withOrientedAccelerations } from '#engine/comparison/oriented-accelerations.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import type { Lap } from '#engine/timing/laps.ts';
import { parseJson } from '#server/kernel/parse-json.ts';

// One object holds the traces of all laps of a lap file: the length of the header in four bytes, the header as JSON, and each trace,
// compressed separately, so that reading one lap decompresses no other.

const partsSchema = z.object({
  noiseMs: z.number(),
  driftMs: z.number(),
  interpolationMs: z.number(),
  clockMs: z.number(),
});

const headerSchema = z.object({
  engineVersion: z.literal(ENGINE_VERSION),
  traceVersion: z.literal(TRACE_FORMAT_VERSION),
  laps: z.array(
    z.object({
      startOffsetMs: z.number(),
      lapTimeMs: z.number(),
      uncertaintyParts: partsSchema.nullable(),
      byteCount: z.int().nonnegative(),
    }),
  ),
});

type Header = z.infer<typeof headerSchema>;

export type LapMoment = { startOffsetMs: number; lapTimeMs: number };

/** Holds the encoded trace of a lap, which `decodeLapTrace` reads, and the parts of its uncertainty. */
export type StoredTrace = Pick<Header['laps'][number], 'uncertaintyParts'> & { trace: Uint8Array };

const LENGTH_BYTES = 4;

/** Packs the traces of laps of a file into one object for the storage. */
export function packTraces(file: OpenedLapFile, laps: readonly Lap[]): Uint8Array {
  const firstFixMs = file.trace.fixes.timesMs[0] ?? 0;
  const trace = { ...file.trace, fixes: withOrientedAccelerations(file.trace.fixes) };
  const traces = laps.map((lap) => deflateRawSync(encodeLapTrace({ ...file, trace, lap })));
  const header: Header = {
    engineVersion: ENGINE_VERSION,
    traceVersion: TRACE_FORMAT_VERSION,
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
 * Finds the trace of a lap in a packed object. After a retiming, the lap with the largest overlap matches. Null where no lap
 * matches, or where the object is damaged or from another version of the engine or of the bytes of traces.
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

/** Tells whether an object holds traces of this version of the engine, in the bytes of this version. */
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

// The longest lap at 25 Hz needs a small part of this.
const TRACE_BYTES_MAX = 16 * 1024 * 1024;

function inflate(bytes: Buffer): Uint8Array | null {
  try {
    return inflateRawSync(bytes, { maxOutputLength: TRACE_BYTES_MAX });
  } catch {
    return null;
  }
}
