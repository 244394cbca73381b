import type { CreatedTrack } from '#contract/admin.ts';
import type { RawTrack } from './track-review.ts';

/** What became of one track, as any server may give it; what is neither a success nor known to exist has failed. */
export type TrackResultAnswer = { status: string } & Partial<Omit<CreatedTrack, 'status'>>;

export type TrackResult = Pick<CreatedTrack, 'status' | 'message'> & {
  /** Its place in the file, from 1. */
  row: number;
  name: string;
  configuration: string | null;
  location: string | null;
  country: string | null;
  /** Null where there is no track to go to. */
  trackId: string | null;
};

/** Reads the results of an import, in the order of the tracks that were sent. */
export function readTrackResults(
  answer: readonly TrackResultAnswer[],
  sent: readonly RawTrack[],
): TrackResult[] {
  const byRow = new Map(answer.map((result, index) => [result.row ?? index + 1, result]));
  return sent.map((track, index) => readResult(byRow.get(index + 1), track, index));
}

/** How many tracks came to which end. */
export function countResults(results: readonly TrackResult[]): Record<TrackResult['status'], number> {
  const counts = { success: 0, exists: 0, error: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** What the toast says after an import. */
export function describeImport(results: readonly TrackResult[]): string {
  return `Successfully imported ${countResults(results).success} of ${results.length} tracks`;
}

const DEFAULT_MESSAGES: Record<TrackResult['status'], string> = {
  success: 'Added to the library.',
  exists: 'The library has this track already.',
  error: 'This track could not be imported.',
};

function readResult(told: TrackResultAnswer | undefined, sent: RawTrack, index: number): TrackResult {
  const status = readStatus(told?.status);
  const { message = DEFAULT_MESSAGES[status], trackId = null, ...names } = { ...sent, ...told };
  return {
    row: sent.row ?? index + 1,
    status,
    message,
    name: names.name ?? `Track ${index + 1}`,
    configuration: names.configuration ?? null,
    location: names.location ?? null,
    country: names.country ?? null,
    trackId,
  };
}

function readStatus(status: string | undefined): TrackResult['status'] {
  return status === 'success' || status === 'exists' ? status : 'error';
}
