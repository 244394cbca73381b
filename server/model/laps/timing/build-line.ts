import { countLapsAlong, lineOfLaps } from '#engine/comparison/build-reference-line.ts';
import { decodeLapTrace } from '#engine/comparison/lap-trace.ts';
import { encodeReferenceLine } from '#engine/comparison/reference-line.ts';

/** A line, encoded, and how many laps were driven along it. */
export type BuiltLine = { line: Uint8Array<ArrayBuffer>; lapCount: number };

/** The line of a track from the traces of laps on it; null where none of them can be used. */
export function buildLine(traces: readonly Uint8Array[]): BuiltLine | null {
  const laps = traces.flatMap((trace) => decodeLapTrace(trace) ?? []);
  const line = lineOfLaps(laps);
  return line && { line: encodeReferenceLine(line), lapCount: countLapsAlong(line, laps) };
}
