import { lapPath, planeOfLap } from './lap-path.ts';
import type { TracedLap } from './lap-trace.ts';
import { metersAt, projectOnto } from './projection.ts';
import { curveThrough, lineThrough } from './reference-line.ts';
import type { ReferenceLine } from './reference-line.ts';

/** The line that one lap has driven; null where it has too few positions. */
export function lineOfLap(traced: TracedLap): ReferenceLine | null {
  const plane = planeOfLap(traced);
  const path = lapPath(traced, plane);
  if (path === null) return null;
  const { startTimeMs, lapTimeMs } = traced.lap;
  const line = lineThrough(plane, curveThrough(path), { startMeters: path.metersBeforeStart, endMeters: 0 });
  const own = projectOnto(line, path, { x: 0, y: 0 });
  if (own.length < 2) return null;
  return {
    ...line,
    startMeters: metersAt(own, startTimeMs),
    endMeters: metersAt(own, startTimeMs + lapTimeMs),
  };
}
