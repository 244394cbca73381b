import { type OfficialResults, officialResultsSchema } from '#contract/race-events/official-results.ts';
import type { RaceEvent } from '#contract/race-events/schemas.ts';
import type { DocumentSigner } from '#server/kernel/sign-document.ts';
import { parseJson } from '#server/kernel/parse-json.ts';

/** Writes the results of an event as a document, without the names of people. It is not signed as long as the results may change. */
export function describeResults(event: RaceEvent, site: string): OfficialResults {
  const { id, name, firstDay, lastDay, courses, settings, classes, entries, runs, results } = event;
  return {
    kind: 'pitboard-event-results-1',
    site,
    event: { id, name, firstDay, lastDay, courses },
    settings,
    classes,
    entries: entries.map(({ id, classId, number, carName, group, withdrawnAt }) => ({
      id,
      classId,
      number,
      carName,
      group,
      withdrawnAt,
    })),
    runs: runs.map(({ recordedBy: _name, ...run }) => run),
    results,
    officialAt: null,
    signature: null,
  };
}

/** Signs results that are official from now on; returns them as JSON text. */
export function signResults(
  results: OfficialResults,
  { signer, officialAt }: { signer: DocumentSigner; officialAt: Date },
): string {
  // Only what the answer has is signed.
  const { signature: _none, ...document } = officialResultsSchema.parse(results);
  return JSON.stringify(signer.sign({ ...document, officialAt: officialAt.toISOString() }));
}

export function parseOfficialResults(text: string): OfficialResults {
  return officialResultsSchema.parse(parseJson(text));
}
