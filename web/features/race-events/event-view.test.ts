import { expect, test } from 'vitest';
import {
  raceEventClassIdSchema,
  raceEventEntryIdSchema,
  raceEventIdSchema,
  raceEventRunIdSchema,
} from '#contract/ids.ts';
import { asLapId, asTrackId, asUserId } from '#contract/testing/ids.ts';
import { viewEvent, type EventAnswer } from './event-view.ts';

const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

const SPA = asTrackId('spa');
const STREET = raceEventClassIdSchema.parse(uuid(1));
const ADA = raceEventEntryIdSchema.parse(uuid(2));
const THEO = raceEventEntryIdSchema.parse(uuid(3));
const THEO_AGAIN = raceEventEntryIdSchema.parse(uuid(4));

const entry = {
  classId: STREET,
  userId: null,
  userCarId: null,
  carName: 'Opel Corsa',
  group: null,
  withdrawnAt: null,
};
const run = {
  courseNumber: 1,
  runNumber: 1,
  lap: null,
  timeMs: 64_123,
  uncertaintyMs: null,
  cones: 0,
  gates: 0,
  status: 'timed' as const,
  reason: null,
  recordedBy: null,
  recordedAt: null,
  counts: true,
};
const row = { totalMs: 64_123, uncertaintyMs: null, gapMs: null, isWithin: false };

const answer: EventAnswer = {
  id: raceEventIdSchema.parse(uuid(5)),
  name: 'Autumn Sprint',
  description: '',
  firstDay: '2026-11-28',
  lastDay: '2026-11-28',
  state: 'running',
  provisionalUntil: null,
  officialAt: null,
  settings: {
    firstRuns: null,
    countedRuns: 1,
    conePenaltyMs: 2_000,
    gatePenaltyMs: 10_000,
    tieRule: 'shared',
    takesLaps: true,
    protestMinutes: 30,
  },
  courses: [{ number: 1, trackId: SPA, name: 'Spa' }],
  classes: [{ id: STREET, name: 'Street', indexFactor: null }],
  entries: [
    { ...entry, id: ADA, driverName: 'Ada Brook', number: '7' },
    {
      ...entry,
      id: THEO,
      userId: asUserId('user'),
      driverName: 'Theo Okafor',
      number: '12',
      withdrawnAt: '2026-11-28T08:00:00.000Z',
    },
    { ...entry, id: THEO_AGAIN, userId: asUserId('user'), driverName: 'Theo Okafor', number: '13' },
  ],
  runs: [
    { ...run, id: raceEventRunIdSchema.parse(uuid(6)), entryId: ADA, cones: 1, gates: 1 },
    { ...run, id: null, entryId: THEO_AGAIN, lap: { trackId: SPA, lapId: asLapId('lap') } },
  ],
  results: {
    classes: [
      {
        classId: STREET,
        rows: [
          { ...row, entryId: THEO_AGAIN, place: 1 },
          { ...row, entryId: ADA, place: 2 },
        ],
      },
    ],
    overall: null,
  },
  mayOrganise: true,
  ownEntryId: THEO,
};

test('rows have their entries and runs, with what cones and gates cost', () => {
  const [street] = viewEvent(answer).classes;
  expect(street?.rows.map(({ place, entry: { name }, runs }) => [place, name, runs.length])).toEqual([
    [1, 'Theo Okafor', 1],
    [2, 'Ada Brook', 1],
  ]);
  expect(street?.rows.flatMap(({ runs }) => runs.map(({ key, penaltyMs }) => [key, penaltyMs]))).toEqual([
    ['lap', 0],
    [uuid(6), 12_000],
  ]);
});

test('the own entry is the one that is not withdrawn', () => {
  expect(viewEvent(answer).ownEntry?.id).toBe(THEO_AGAIN);
  expect(viewEvent({ ...answer, ownEntryId: null }).ownEntry).toBeNull();
});

const mayChange = (changes: Partial<EventAnswer>) => viewEvent({ ...answer, ...changes }).mayChangeRuns;

test('runs are changed by those who run the event, while it runs and until it is official', () => {
  expect(mayChange({})).toBe(true);
  expect(mayChange({ state: 'provisional' })).toBe(true);
  expect(mayChange({ state: 'official' })).toBe(false);
  expect(mayChange({ state: 'open' })).toBe(false);
  expect(mayChange({ mayOrganise: false })).toBe(false);
});
