import { readField, readNumber } from '#web/ui/read-field.ts';
import type { DraftClass } from './class-fields.tsx';
import type { DraftCourse } from './course-fields.tsx';

type Draft = { courses: readonly DraftCourse[]; classes: readonly DraftClass[] };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the form of an event, or returns its problems by field. */
export function readEventForm(form: HTMLFormElement, { courses, classes }: Draft) {
  const text = (name: string) => readField(form, name).trim();
  const [firstDay, lastDay] = [text('firstDay'), text('lastDay') || text('firstDay')];
  const event = {
    name: text('name'),
    description: text('description'),
    firstDay,
    lastDay,
    courses: courses.map(({ trackId }) => ({ trackId })),
    classes: classes.map(({ id, name, index }) => ({
      ...(id !== null && { id }),
      name: name.trim(),
      indexFactor: readNumber(index),
    })),
    firstRuns: readNumber(text('firstRuns')),
    countedRuns: readNumber(text('countedRuns')),
    conePenaltyMs: readMilliseconds(text('conePenalty')),
    gatePenaltyMs: readMilliseconds(text('gatePenalty')),
    tieRule: text('tieRule') === 'faster' ? ('faster' as const) : ('shared' as const),
    protestMinutes: Number(text('protestMinutes') || NaN),
    takesLaps: new FormData(form).has('takesLaps'),
  };
  const problems = {
    ...(event.name.length < 3 && { name: 'Type at least 3 letters.' }),
    ...(!DAY.test(firstDay) && { firstDay: 'Choose a day.' }),
    ...(lastDay < firstDay && { lastDay: 'Choose a day that is not before the first.' }),
    ...(courses.length === 0 && { courses: 'Add a course.' }),
    ...(classes.length === 0 && { classes: 'Add a class.' }),
    ...(event.classes.some(({ name }) => name === '') && { classes: 'Name each class.' }),
    ...(event.classes.some(({ indexFactor }) => Number.isNaN(indexFactor)) && {
      classes: 'Type an index as 0.826, or leave it out.',
    }),
    ...listNumberProblems(event),
  };
  return Object.keys(problems).length > 0 ? { problems } : { event };
}

export type TypedEvent = NonNullable<ReturnType<typeof readEventForm>['event']>;

const NUMBERS = ['firstRuns', 'countedRuns', 'protestMinutes'] as const;
const PENALTIES = { conePenaltyMs: 'conePenalty', gatePenaltyMs: 'gatePenalty' } as const;

function listNumberProblems(event: {
  firstRuns: number | null;
  countedRuns: number | null;
  protestMinutes: number;
  conePenaltyMs: number;
  gatePenaltyMs: number;
}): Record<string, string> {
  const wrong = NUMBERS.filter((name) => event[name] !== null && !Number.isInteger(event[name]));
  const costs = (['conePenaltyMs', 'gatePenaltyMs'] as const).filter((name) => Number.isNaN(event[name]));
  return Object.fromEntries([
    ...wrong.map((name) => [name, 'Type a whole number.']),
    ...costs.map((name) => [PENALTIES[name], 'Type seconds, such as 2.']),
  ]);
}

function readMilliseconds(typed: string): number {
  return Math.round((readNumber(typed) ?? NaN) * 1000);
}
