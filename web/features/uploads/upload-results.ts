import type { UploadResult } from '#contract/uploads.ts';
import type { Problem } from './submit-checks.ts';

/** The answer to an upload as any server may give it: a list, or a list under `results`. */
export type UploadAnswer = readonly AnsweredResult[] | { results: readonly AnsweredResult[] };

type AnsweredResult = Pick<UploadResult, 'success'> & Partial<UploadResult>;

/** What became of one lap file. */
export type FileResult = {
  fileName: string;
  success: boolean;
  /** Why it failed; null for a success. */
  error: string | null;
  lapCount: number | null;
  bestLapTimeMs: number | null;
};

/** Reads the answer to an upload: a result per file, in the order of the files. */
export function readUploadResults(answer: UploadAnswer, files: readonly File[]): FileResult[] {
  const results = 'results' in answer ? answer.results : answer;
  return results.map((result, index) => ({
    fileName: result.file ?? files[index]?.name ?? `File ${index + 1}`,
    success: result.success,
    error: result.success ? null : (result.error ?? 'This file could not be processed.'),
    lapCount: result.lapCount ?? null,
    bestLapTimeMs: result.bestLapTimeMs ?? null,
  }));
}

/** What the toast says after an upload, and whether anything was stored at all. */
export function describeOutcome(results: readonly FileResult[]): Problem & { succeeded: boolean } {
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
