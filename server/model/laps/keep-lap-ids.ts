import type { LapId } from '#contract/ids.ts';
type DrivenLap = { id: LapId; startedAt: Date; lapTimeMs: number };
type DrivenSession<Lap extends DrivenLap> = { startedAt: Date; laps: readonly Lap[] };

/**
 * Assigns each lap of a retimed session the id of the earlier lap that is the same drive: their time spans share more than half
 * of the longer one, so no lap has two partners. All other laps keep the new ids that they came with.
 */
export function keepLapIds<Lap extends DrivenLap>(
  before: DrivenSession<DrivenLap>,
  after: DrivenSession<Lap>,
): Lap[] {
  const byClock = matchLaps(before.laps, after.laps, 0);
  // A corrected time zone moves the whole session on the clock, and no lap within it.
  const bySession = matchLaps(
    before.laps,
    after.laps,
    after.startedAt.getTime() - before.startedAt.getTime(),
  );
  const keptIds = bySession.size > byClock.size ? bySession : byClock;
  return after.laps.map((lap) => ({ ...lap, id: keptIds.get(lap) ?? lap.id }));
}

/** The id of the earlier lap by the later one, with the earlier ones `shiftMs` later than they say. */
function matchLaps<Lap extends DrivenLap>(
  before: readonly DrivenLap[],
  after: readonly Lap[],
  shiftMs: number,
): Map<Lap, string> {
  const earlier = before.map((lap) => toSpan(lap, shiftMs)).toSorted(byStart);
  const keptIds = new Map<Lap, string>();
  const taken = new Set<string>();
  let firstIndex = 0;
  for (const span of after.map((lap) => toSpan(lap, 0)).toSorted(byStart)) {
    // Laps follow one another: those that ended before this one began end before all later ones, too.
    while ((earlier[firstIndex]?.endMs ?? Infinity) <= span.startMs) firstIndex++;
    for (let index = firstIndex; index < earlier.length; index++) {
      const candidate = earlier[index];
      if (!candidate || candidate.startMs >= span.endMs) break;
      // Only a clock that jumps back makes laps overlap, and one lap the partner of two.
      if (!isSameDrive(candidate, span) || taken.has(candidate.lap.id)) continue;
      keptIds.set(span.lap, candidate.lap.id);
      taken.add(candidate.lap.id);
      break;
    }
  }
  return keptIds;
}

type Span<Lap> = { lap: Lap; startMs: number; endMs: number };

function toSpan<Lap extends DrivenLap>(lap: Lap, shiftMs: number): Span<Lap> {
  const startMs = lap.startedAt.getTime() + shiftMs;
  return { lap, startMs, endMs: startMs + lap.lapTimeMs };
}

function byStart(a: { startMs: number }, b: { startMs: number }): number {
  return a.startMs - b.startMs;
}

function isSameDrive(a: Span<unknown>, b: Span<unknown>): boolean {
  const sharedMs = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  return 2 * sharedMs > Math.max(a.endMs - a.startMs, b.endMs - b.startMs);
}
