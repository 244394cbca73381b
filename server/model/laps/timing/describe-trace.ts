import { CHANNELS_VERSION, type TraceChannel } from '#contract/lap-view/channels.ts';
import { type LapTrace, lapTraceSchema } from '#contract/lap-view/schemas.ts';
import { CHANNEL_NAMES, CHANNELS, type Channels } from '#engine/channels.ts';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import { toDegreeSteps, toSteps } from '#engine/comparison/integer-columns.ts';
import { decodeLapTrace } from '#engine/comparison/lap-trace.ts';
import { decodeReferenceLine } from '#engine/comparison/reference-line.ts';
import { lineOfLap } from '#engine/comparison/build-reference-line.ts';
import { lapAlongLine } from '#engine/comparison/lap-along-line.ts';
import { describeCorner, describeCornerFigures } from './describe-corner.ts';
import type { ViewTask } from './lap-tasks.ts';
import { roundColumn, toKmh } from './round-column.ts';

/** Describes a lap as JSON; null where its trace is unreadable or has no positions. */
export function describeTrace({ trace, line, ...ofTrack }: ViewTask): Uint8Array | null {
  const traced = decodeLapTrace(trace);
  if (traced === null) return null;
  const along = (line && decodeReferenceLine(line)) ?? lineOfLap(traced);
  const columns = along && lapAlongLine(along, traced);
  if (along === null || columns === null) return null;
  const compared = compareLaps(traced, [], { line: along, ...ofTrack });
  const described: LapTrace = {
    timesMs: roundColumn(columns.timesMs, 1),
    meters: roundColumn(columns.meters, 1),
    latSteps: toDegreeSteps(columns.lats),
    lonSteps: toDegreeSteps(columns.lons),
    speedsKmh: roundColumn(columns.speedsMetersPerSecond.map(toKmh), 1),
    channels: { version: CHANNELS_VERSION, columns: describeChannels(columns.channels) },
    corners: (compared?.corners ?? []).flatMap((corner) => {
      const stretch = compared?.stretches.find(
        ({ kind, number }) => kind === 'corner' && number === corner.number,
      );
      const [figures] = stretch?.laps ?? [];
      return figures ? [{ ...describeCorner(corner), ...describeCornerFigures(figures) }] : [];
    }),
  };
  return Buffer.from(JSON.stringify(lapTraceSchema.parse(described)));
}

function describeChannels(channels: Channels): TraceChannel[] {
  return CHANNEL_NAMES.flatMap((name) => {
    const values = channels[name];
    const { unit, step } = CHANNELS[name];
    return values === undefined ? [] : [{ name, unit, step, steps: toSteps(values, step) }];
  });
}
