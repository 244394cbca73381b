import type { LapId } from '#contract/ids.ts';
import { type LapComparison, lapComparisonSchema } from '#contract/lap-view/comparison.ts';
import { compareLaps, type ComparedLap, type LapColumns } from '#engine/comparison/compare-laps.ts';
import { toDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { decodeLapTrace } from '#engine/comparison/lap-trace.ts';
import type { PlaceToGain } from '#engine/comparison/places-to-gain.ts';
import { decodeReferenceLine } from '#engine/comparison/reference-line.ts';
import { describeCorner, describeCornerFigures, inKmh } from './describe-corner.ts';
import type { CompareTask } from './lap-tasks.ts';
import { roundColumn, roundNumber, toKmh } from './round-column.ts';

/** Describes laps of one track as JSON; null where they do not follow the same path, or a trace is unreadable. */
export function describeComparison({ laps, line, cornerNames }: CompareTask): Uint8Array | null {
  const traced = laps.flatMap(({ trace, ...lap }) => {
    const decoded = decodeLapTrace(trace);
    return decoded ? [{ ...decoded, ...lap }] : [];
  });
  const [reference, ...others] = traced;
  if (!reference || traced.length < laps.length) return null;
  const compared = compareLaps(
    reference,
    others.map((other) => ({ ...other, isSameRecording: other.sessionId === reference.sessionId })),
    { line: (line && decodeReferenceLine(line)) ?? undefined, cornerNames },
  );
  if (compared === null) return null;
  const described: LapComparison = {
    reference: {
      lapId: reference.lapId,
      lapTimeMs: reference.lapTimeMs,
      meters: roundColumn(compared.meters, 1),
      latSteps: toDegreeSteps(compared.lats),
      lonSteps: toDegreeSteps(compared.lons),
      elapsedMs: endingAt(roundColumn(compared.reference.elapsedMs, 1), reference.lapTimeMs),
      speedsKmh: readSpeedsKmh(compared.reference),
    },
    laps: compared.laps.map((lap, index) => describeLap(lap, others[index] ?? reference, reference)),
    corners: compared.corners.map((corner) => ({
      ...describeCorner(corner),
      laps: corner.laps.map((figures) => ({
        ...describeCornerFigures(figures),
        lostMs: roundNumber(figures.lostMs, 1),
        bandMs: roundNumber(figures.bandMs, 1),
      })),
    })),
    placesToGain: compared.laps.map(({ placesToGain }) => placesToGain.map(describePlace)),
  };
  return Buffer.from(JSON.stringify(lapComparisonSchema.parse(described)));
}

type StoredLap = { lapId: LapId; lapTimeMs: number };

function describeLap(
  lap: ComparedLap,
  { lapId, lapTimeMs }: StoredLap,
  reference: StoredLap,
): LapComparison['laps'][number] {
  const { east, north } = lap.offsetMeters;
  return {
    lapId,
    lapTimeMs,
    gapMs: endingAt(roundColumn(lap.gapMs, 1), lapTimeMs - reference.lapTimeMs),
    bandMs: roundColumn(lap.bandMs, 1),
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

function describePlace(place: PlaceToGain): LapComparison['placesToGain'][number][number] {
  const { cornerNumber, lostMs, bandMs, brakingEarlierMeters } = place;
  return {
    cornerNumber,
    lostMs: roundNumber(lostMs, 1),
    bandMs: roundNumber(bandMs, 1),
    brakingEarlierMeters: brakingEarlierMeters === null ? null : roundNumber(brakingEarlierMeters, 1),
    apexSlowerKmh: inKmhOrNull(place.apexSlowerMetersPerSecond),
    exitSlowerKmh: inKmhOrNull(place.exitSlowerMetersPerSecond),
  };
}

function inKmhOrNull(metersPerSecond: number | null): number | null {
  return metersPerSecond === null ? null : inKmh(metersPerSecond);
}
