import { countLapsAlong, lineOfLaps } from '#engine/comparison/build-reference-line.ts';
import { decodeLapTrace } from '#engine/comparison/lap-trace.ts';
import { encodeReferenceLine } from '#engine/comparison/reference-line.ts';

export type BuiltLine = { line: Uint8Array<ArrayBuffer>; lapCount: number };

/** Builds the line of a track from traces of laps; null where no trace is usable. */
export function buildLine(traces: readonly Uint8Array[]): BuiltLine | null {
  const laps = traces.flatMap((trace) => decodeLapTrace(trace) ?? []);
  const line = lineOfLaps(laps);
  return line && { line: encodeReferenceLine(line), lapCount: countLapsAlong(line, laps) };
}
