import { RUN_LIMITS, RUN_STATUSES, type RunStatus } from '#contract/race-events/labels.ts';
import { readField } from '#web/ui/read-field.ts';
import { readRunTime } from './read-run-time.ts';

/** The fields of a run as somebody typed them; `timeMs` is null without a time. */
export type TypedRun = {
  timeMs: number | null;
  cones: number;
  gates: number;
  status: RunStatus;
  reason: string | null;
};

type Problems = Record<string, string>;

/** Reads the fields of a run, or returns their problems by field. A run of a lap has no field for its time; a change needs a reason. */
export function readRunForm(form: HTMLFormElement, { hasTime = true, isChange = false } = {}) {
  const typedTime = readField(form, 'time').trim();
  const run: TypedRun = {
    timeMs: readRunTime(typedTime),
    cones: readCount(form, 'cones'),
    gates: readCount(form, 'gates'),
    status: RUN_STATUSES.find((one) => one === readField(form, 'status')) ?? 'timed',
    reason: readField(form, 'reason').trim() || null,
  };
  const problems = { ...(hasTime && findTimeProblem(run, typedTime)), ...findProblems(run, isChange) };
  return Object.keys(problems).length > 0 ? { problems } : { run };
}

function readCount(form: HTMLFormElement, name: string): number {
  return Number(readField(form, name).trim() || 0);
}

function findTimeProblem({ timeMs, status }: TypedRun, typed: string): Problems {
  if (timeMs !== null) return {};
  if (typed !== '') return { time: 'Type it as 1:04.123 or 64.123.' };
  return status === 'timed' ? { time: 'Type a time, or choose a status.' } : {};
}

function findProblems({ cones, gates, status, reason }: TypedRun, isChange: boolean): Problems {
  const needsReason = isChange || status !== 'timed' || cones !== 0 || gates !== 0;
  return {
    ...(!isPenalty(cones) && { cones: `Enter 0 to ${RUN_LIMITS.penaltiesMax}.` }),
    ...(!isPenalty(gates) && { gates: `Enter 0 to ${RUN_LIMITS.penaltiesMax}.` }),
    ...(needsReason && reason === null && { reason: 'Say why.' }),
  };
}

function isPenalty(count: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= RUN_LIMITS.penaltiesMax;
}
