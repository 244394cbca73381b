import { formatCount } from '#web/ui/format.ts';

/** The settings of an event that decide its results. */
export type RuleSettings = {
  firstRuns: number | null;
  countedRuns: number | null;
  conePenaltyMs: number;
  gatePenaltyMs: number;
  tieRule: 'shared' | 'faster';
  takesLaps: boolean;
};

type Shape = { courseCount: number; hasIndex: boolean };

/** Describes how results come from runs: 'The best run on each course counts, both courses are added. A cone costs 2 s, a gate 10 s.' */
export function describeRule(settings: RuleSettings, { courseCount, hasIndex }: Shape): string {
  return [
    describeRuns(settings, courseCount),
    describePenalties(settings),
    hasIndex && 'A total is multiplied by the index of its class.',
    settings.tieRule === 'shared'
      ? 'Totals closer than their ± share a place.'
      : 'Where totals are closer than their ±, the faster figure decides.',
    settings.takesLaps && 'Laps of uploaded lap files are runs, too.',
  ]
    .filter(Boolean)
    .join(' ');
}

function describeRuns({ firstRuns, countedRuns }: RuleSettings, courseCount: number): string {
  const where = courseCount > 1 ? ' on each course' : '';
  const sum = courseCount === 2 ? ', both courses are added' : ', all courses are added';
  if (firstRuns === 1) return `The first run${where} counts${courseCount > 1 ? sum : ''}.`;
  const of = firstRuns === null ? '' : ` of the first ${formatCount(firstRuns)}`;
  if (countedRuns === 1) {
    const best = firstRuns === null ? 'The best run' : `The best${of} runs`;
    return `${best}${where} counts${courseCount > 1 ? sum : ''}.`;
  }
  if (countedRuns === null) {
    return `${firstRuns === null ? 'All runs' : `The first ${formatCount(firstRuns)} runs`}${where} are added.`;
  }
  const best =
    firstRuns === null ? `${formatCount(countedRuns)} runs` : `${formatCount(countedRuns)}${of} runs`;
  return `The best ${best}${where} are added.`;
}

function describePenalties({ conePenaltyMs, gatePenaltyMs }: RuleSettings): string {
  const costs = [
    conePenaltyMs > 0 && `a cone costs ${formatPenalty(conePenaltyMs)}`,
    gatePenaltyMs > 0 && `a gate costs ${formatPenalty(gatePenaltyMs)}`,
  ].filter((cost) => cost !== false);
  if (costs.length === 0) return '';
  const sentence = costs.join(', ').replace(', a gate costs', ', a gate');
  return `A${sentence.slice(1)}.`;
}

/** Formats a penalty in seconds without needless digits: '2 s', '0.5 s'. */
export function formatPenalty(penaltyMs: number): string {
  return `${penaltyMs / 1000} s`;
}
