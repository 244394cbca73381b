import type { FileResult } from '#web/api/specified-answers/uploads.ts';
import type { Problem } from './submit-checks.ts';

/** The toast after an upload, and whether anything was stored. */
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
