import type { Answer } from '#web/api/call-api.ts';
import type { RuleSettings } from './describe-rule.ts';

export type EventAnswer = Answer<'GET /api/events/:eventId'>;
type AnsweredEntry = EventAnswer['entries'][number];
type AnsweredRun = EventAnswer['runs'][number];
type AnsweredRow = EventAnswer['results']['classes'][number]['rows'][number];

export type ShownEntry = AnsweredEntry & {
  name: string;
  car: string;
  className: string;
  isOwn: boolean;
  isWithdrawn: boolean;
};

export type ShownRun = AnsweredRun & { key: string; number: number; penaltyMs: number };

/** The form of an event begins with these. */
export type EventSettings = EventAnswer['settings'] &
  Pick<EventAnswer, 'name' | 'description' | 'firstDay' | 'lastDay' | 'courses' | 'classes'>;

export type ShownRow = AnsweredRow & { entry: ShownEntry; runs: readonly ShownRun[] };

export type ShownClass = EventAnswer['classes'][number] & { rows: readonly ShownRow[] };

export type EventView = ReturnType<typeof viewEvent>;

/** Joins the results of an event with its entries and runs. */
export function viewEvent(answer: EventAnswer) {
  const { results, ownEntryId, state, mayOrganise } = answer;
  const classNames = new Map(answer.classes.map(({ id, name }) => [id, name]));
  const ownUserId = answer.entries.find(({ id }) => id === ownEntryId)?.userId ?? null;
  const entries = answer.entries.map((entry): ShownEntry => ({
    ...entry,
    name: entry.driverName,
    car: entry.carName ?? '',
    className: classNames.get(entry.classId) ?? '',
    // A driver may have entered again after a withdrawal.
    isOwn: ownUserId !== null && entry.userId === ownUserId,
    isWithdrawn: entry.withdrawnAt !== null,
  }));
  const entryById = new Map(entries.map((entry) => [entry.id, entry]));
  const runs = answer.runs.map((run): ShownRun => ({
    ...run,
    number: run.runNumber,
    key: run.id ?? `${run.lap?.lapId}`,
    penaltyMs: penaltyOf(answer, run),
  }));
  const join = (rows: readonly AnsweredRow[]) =>
    rows.flatMap((row): ShownRow[] => {
      const entry = entryById.get(row.entryId);
      return entry ? [{ ...row, entry, runs: runs.filter(({ entryId }) => entryId === entry.id) }] : [];
    });
  return {
    ...answer,
    eventId: answer.id,
    entries,
    ownEntry: entries.find(({ isOwn, isWithdrawn }) => isOwn && !isWithdrawn) ?? null,
    classes: answer.classes.map((one): ShownClass => ({
      ...one,
      rows: join(results.classes.find(({ classId }) => classId === one.id)?.rows ?? []),
    })),
    overall: results.overall && join(results.overall),
    hasRuns: runs.length > 0,
    mayChangeRuns: mayOrganise && (state === 'running' || state === 'provisional'),
  };
}

/** Returns what cones and gates cost. */
export function penaltyOf(
  { settings }: { settings: Pick<RuleSettings, 'conePenaltyMs' | 'gatePenaltyMs'> },
  { cones, gates }: { cones: number; gates: number },
): number {
  return cones * settings.conePenaltyMs + gates * settings.gatePenaltyMs;
}
