import { lineOfLaps } from '#engine/comparison/build-reference-line.ts';
import { decodeLapTrace } from '#engine/comparison/lap-trace.ts';
import { encodeReferenceLine } from '#engine/comparison/reference-line.ts';

/** The line of a track from the traces of laps on it, encoded; null where none of them can be used. */
export function buildLine(traces: readonly Uint8Array[]): Uint8Array | null {
  const laps = traces.flatMap((trace) => decodeLapTrace(trace) ?? []);
  const line = lineOfLaps(laps);
  return line && encodeReferenceLine(line);
}
