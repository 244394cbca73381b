import type { LapId } from '#contract/ids.ts';
import { type LapComparison, lapComparisonSchema } from '#contract/lap-view/comparison.ts';
import { compareLaps, type ComparedLap, type LapColumns } from '#engine/comparison/compare-laps.ts';
import { toDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { decodeLapTrace } from '#engine/comparison/lap-trace.ts';
import { findPlacesToGain } from '#engine/comparison/places-to-gain.ts';
import { decodeReferenceLine } from '#engine/comparison/reference-line.ts';
import { describeCorner, describeStretches } from './describe-corner.ts';
import { describeHoles } from './describe-holes.ts';
import type { CompareTask } from './lap-tasks.ts';
import { roundColumn, roundNumber, toKmh } from './round-column.ts';

/** Describes laps of one track as JSON; null where they do not follow the same path, or a trace is unreadable. */
export function describeComparison({ laps, line, ...ofTrack }: CompareTask): Uint8Array | null {
  const traced = laps.flatMap(({ trace, ...lap }) => {
    const decoded = decodeLapTrace(trace);
    return decoded ? [{ ...decoded, ...lap }] : [];
  });
  const [reference, ...others] = traced;
  if (!reference || traced.length < laps.length) return null;
  const compared = compareLaps(
    reference,
    others.map((other) => ({ ...other, isSameRecording: other.sessionId === reference.sessionId })),
    { line: (line && decodeReferenceLine(line)) ?? undefined, ...ofTrack },
  );
  if (compared === null) return null;
  const stretches = describeStretches(
    compared.stretches,
    others.map(({ lapTimeMs }) => lapTimeMs - reference.lapTimeMs),
  );
  const described: LapComparison = {
    reference: {
      lapId: reference.lapId,
      lapTimeMs: reference.lapTimeMs,
      meters: roundColumn(compared.meters, 1),
      latSteps: toDegreeSteps(compared.lats),
      lonSteps: toDegreeSteps(compared.lons),
      elapsedMs: endingAt(roundColumn(compared.reference.elapsedMs, 1), reference.lapTimeMs),
      speedsKmh: readSpeedsKmh(compared.reference),
      holes: describeHoles(reference, { meters: compared.meters, ...compared.reference }),
    },
    laps: compared.laps.map((lap, index) => {
      const stored = others[index] ?? reference;
      const holes = describeHoles(stored, { meters: compared.meters, ...lap });
      return { ...describeLap(lap, stored, reference), holes };
    }),
    corners: compared.corners.map(describeCorner),
    stretches,
    // Losses and bands are rounded in the table: a place has to be beyond its band there too.
    placesToGain: others.map((_, index) => findPlacesToGain(stretches, index + 1)),
  };
  return Buffer.from(JSON.stringify(lapComparisonSchema.parse(described)));
}

type StoredLap = { lapId: LapId; lapTimeMs: number };

function describeLap(
  lap: ComparedLap,
  { lapId, lapTimeMs }: StoredLap,
  reference: StoredLap,
): Omit<LapComparison['laps'][number], 'holes'> {
  const { east, north } = lap.offsetMeters;
  return {
    lapId,
    lapTimeMs,
    gapMs: endingAt(roundColumn(lap.gapMs, 0), lapTimeMs - reference.lapTimeMs),
    // A band in whole milliseconds, rounded upwards: a gap must not look more certain than it is.
    bandMs: Array.from(lap.bandMs, Math.ceil),
    speedsKmh: readSpeedsKmh(lap),
    offsetMeters: { east: roundNumber(east, 2), north: roundNumber(north, 2) },
  };
}

/** Replaces the last value by the stored lap time, which was rounded once, so that all pages show the same time. */
function endingAt(values: number[], last: number): number[] {
  return [...values.slice(0, -1), last];
}

function readSpeedsKmh({ speedsMetersPerSecond }: LapColumns): number[] {
  return roundColumn(speedsMetersPerSecond.map(toKmh), 1);
}
