import { decodeLapTrace, type TracedLap } from '#engine/comparison/lap-trace.ts';
import { at } from '#engine/fix-columns.ts';
import { getTracesOfFile, type TraceDeps } from '#server/model/laps/lap-traces.ts';
import { findTrace } from '#server/model/laps/timing/session-traces.ts';
import { listLaps, type OwnSession } from './account-export-store.ts';

const HEADER = 'lap,elapsed_ms,latitude,longitude,speed_kmh\n';
const KMH_PER_METER_PER_SECOND = 3.6;

/**
 * Exports the laps of a session as others see them, as CSV: every fix between the two crossings of the line. It yields lap by
 * lap, so that one is in memory at a time. Null where the lap file is missing.
 */
export async function exportTraces(
  deps: TraceDeps,
  { session, lapFile }: OwnSession,
): Promise<AsyncIterable<string> | null> {
  const { trackId, userId } = session;
  const packed = await getTracesOfFile(deps, { trackId, storageKey: lapFile.storageKey }, userId);
  if (packed === null) return null;
  const laps = await listLaps(deps.db, session);
  return (async function* () {
    yield HEADER;
    for (const { number, lapTimeMs, startedAt } of laps) {
      const startOffsetMs = startedAt.getTime() - session.startedAt.getTime();
      const found = findTrace(packed, { startOffsetMs, lapTimeMs });
      const traced = found && decodeLapTrace(found.trace);
      if (traced) yield writeLap(number, traced);
    }
  })();
}

function writeLap(number: number, { trace: { fixes }, lap }: TracedLap): string {
  const rows: string[] = [];
  for (let fix = 0; fix < fixes.length; fix += 1) {
    const elapsedMs = at(fixes.timesMs, fix) - lap.startTimeMs;
    if (elapsedMs < 0 || elapsedMs > lap.lapTimeMs) continue;
    const speed = at(fixes.speedsMetersPerSecond, fix);
    const cells = [
      number,
      Number(elapsedMs.toFixed(1)),
      at(fixes.lats, fix).toFixed(7),
      at(fixes.lons, fix).toFixed(7),
      Number.isFinite(speed) ? (KMH_PER_METER_PER_SECOND * speed).toFixed(1) : '',
    ];
    rows.push(`${cells.join(',')}\n`);
  }
  return rows.join('');
}
