import { canonicalJson } from '#contract/canonical-json.ts';
import { type OfficialResults, officialResultsSchema } from '#contract/race-events/official-results.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { rankRuns } from '#server/model/race-events/results.ts';
import { CommandError } from './lap-file-command.ts';
import { plainText } from './untrusted-text.ts';
import {
  checkKey,
  describeVerdict,
  findSignatureProblems,
  type Found,
  type GivenKey,
  GOOD,
  problem,
  unknown,
} from './verify-signature.ts';

/** The result of a check of the results of an event. */
type ResultsVerification = Found & { results: OfficialResults };

/** Returns whether a file claims to be the results of an event. */
export function isEventResults(json: unknown): boolean {
  return new Map<string, unknown>(Object.entries(Object(json))).get('kind') === 'pitboard-event-results-1';
}

/** Checks the signature of results, and that they follow from the runs. @throws CommandError where it is no such document */
export function verifyResults(json: unknown, given: GivenKey): ResultsVerification {
  const parsed = officialResultsSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new CommandError(
      `These are no results of an event: ${plainText(issue?.path.join('.') ?? '')} does not fit (${plainText(issue?.message ?? '')}).`,
    );
  }
  const results = parsed.data;
  const found = [checkSignature(json, results, given), checkRanking(results)];
  return {
    results,
    problems: found.flatMap(({ problems }) => problems),
    unknowns: found.flatMap(({ unknowns }) => unknowns),
  };
}

function checkSignature(json: unknown, { site, signature }: OfficialResults, given: GivenKey): Found {
  if (signature === null) return unknown('The results are not official yet, so no server has signed them.');
  const ofKey = checkKey({ site, signature }, given);
  return { ...ofKey, problems: [...findSignatureProblems(json, { signature }), ...ofKey.problems] };
}

function checkRanking({ settings, event, classes, entries, runs, results }: OfficialResults): Found {
  const again = rankRuns({ ...settings, courses: event.courses, classes }, entries, runs);
  const isSame = canonicalJson(again) === canonicalJson({ runs, results });
  return isSame ? GOOD : problem('The places do not follow from the runs by the rule that it states.');
}

/** Describes the check for programs and for people. */
export function describeResults({ results, problems, unknowns }: ResultsVerification) {
  const { site, event, officialAt, signature, classes, entries } = results;
  const lines = results.results.classes.flatMap(({ classId, rows }) => [
    plainText(classes.find(({ id }) => id === classId)?.name ?? ''),
    ...rows.map(({ entryId, place, totalMs }) => {
      const number = entries.find(({ id }) => id === entryId)?.number ?? '';
      const total = totalMs === null ? 'No time' : formatLapTime(totalMs);
      return `  ${String(place ?? '–').padStart(3)}  ${plainText(number).padEnd(5)} ${total}`;
    }),
  ]);
  return {
    problems,
    unknowns,
    program: { holds: problems.length + unknowns.length === 0, problems, unknowns, ...results },
    people: [
      `${plainText(event.name)}, ${plainText(event.firstDay)}, from ${plainText(site)}`,
      '',
      ...lines,
      '',
      ...(officialAt === null ? [] : [`Official   ${plainText(officialAt)}`]),
      ...(signature === null ? [] : [`Key        ${plainText(signature.publicKey)}`]),
      '',
      ...describeVerdict(
        { problems, unknowns },
        'a key that is known signed it, and the places follow from the runs',
      ),
    ].join('\n'),
  };
}
