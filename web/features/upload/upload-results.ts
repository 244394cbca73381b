import { formatLapTime } from '#engine/lap-time.ts';
import type { FileResult, UploadOutcome } from './upload-answers.ts';
import { formatSentence, pluralize } from '#web/ui/format.ts';
import type { Toast } from '#web/ui/toasts.ts';

/** Describes the results in a toast, and says whether anything was stored. */
export function describeOutcome(results: readonly FileResult[]): Toast & { succeeded: boolean } {
  const processedCount = results.filter((result) => result.success).length;
  const failedCount = results.length - processedCount;
  if (processedCount === 0) {
    return {
      succeeded: false,
      title: 'Upload failed',
      description: 'All files failed to process. Please check your files and try again.',
    };
  }
  const failures = failedCount > 0 ? ` ${failedCount} file(s) failed.` : '';
  return {
    succeeded: true,
    title: 'Upload successful!',
    description: `${processedCount} file(s) processed successfully.${failures}`,
  };
}

/** Describes what was stored of a file, or why nothing was. */
export function describeResult({
  success,
  error,
  lapCount,
  bestLapTimeMs = null,
  simulatedLapId,
}: FileResult): string {
  if (!success) return error === undefined ? 'This file could not be processed.' : formatSentence(error);
  if (simulatedLapId !== undefined) return `${countLaps(lapCount)}, simulated: they rank with no real ones`;
  return describeLaps(lapCount, bestLapTimeMs);
}

/** Describes the laps of a file: '3 laps, best 1:38.206', or '3 laps, none of them counts'. */
export function describeLaps(lapCount: number | undefined, bestLapTimeMs: number | null): string {
  const laps = countLaps(lapCount);
  if (bestLapTimeMs !== null) return `${laps}, best ${formatLapTime(bestLapTimeMs)}`;
  return lapCount === undefined
    ? laps
    : `${laps}, ${lapCount === 1 ? 'which does not count' : 'none of them counts'}`;
}

function countLaps(lapCount: number | undefined): string {
  return lapCount === undefined ? 'Laps stored' : pluralize(lapCount, 'lap');
}

/** Joins the outcomes of two calls for one track, of which the second came later. */
export function joinOutcomes(first: UploadOutcome | undefined, second: UploadOutcome): UploadOutcome {
  if (first === undefined) return second;
  const results = [...first.results, ...second.results];
  if (first.best === null || second.best === null) return { results, best: second.best ?? first.best };
  const { previous, isNew, sectors: before } = first.best;
  const sectors = second.best.sectors.map((sector, index) => ({
    name: sector.name,
    timeMs: findFaster(sector.timeMs, before[index]?.timeMs ?? null),
    previousTimeMs: before[index]?.previousTimeMs ?? null,
  }));
  return { results, best: { ...second.best, previous, isNew: isNew || second.best.isNew, sectors } };
}

function findFaster(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
