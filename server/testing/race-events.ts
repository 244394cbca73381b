import type { TrackId, UserId } from '#contract/ids.ts';
import { raceEventEndpoints } from '#contract/race-events/endpoints.ts';
import type { RaceEventState } from '#contract/race-events/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { insertEntry, insertRun } from '#server/model/race-events/entry-store.ts';
import { findRaceEvent, insertRaceEvent, setState } from '#server/model/race-events/race-event-store.ts';
import { insertTrack, type SignedIn } from './builders.ts';
import type { TestApp } from './test-app.ts';

/** Returns what makes an event of two days on a track. */
export const eventBody = (trackId: string, given: object = {}) => ({
  name: 'Spring Sprint',
  description: 'Drive by the rules.',
  firstDay: '2026-06-06',
  lastDay: '2026-06-07',
  courses: [{ trackId }],
  classes: [{ name: 'Street', indexFactor: null }],
  firstRuns: null,
  countedRuns: 1,
  conePenaltyMs: 2_000,
  gatePenaltyMs: 10_000,
  tieRule: 'shared',
  takesLaps: false,
  protestMinutes: 30,
  ...given,
});

export const runBody = (given: object = {}) => ({
  courseNumber: 1,
  timeMs: 64_123,
  cones: 0,
  gates: 0,
  status: 'timed',
  reason: null,
  ...given,
});

type NewEvent = { organiser: SignedIn; trackId: TrackId; driver?: SignedIn; state?: 'open' | 'running' };

/** Makes an event, with an entry of the driver where there is one, and a run of it where the event runs; returns their ids. */
export async function insertEvent(
  { as }: Pick<TestApp, 'as'>,
  { organiser, trackId, driver, state = 'running' }: NewEvent,
): Promise<Record<string, string>> {
  const { id: eventId } = (await as(organiser).post('/api/events', eventBody(trackId))).json();
  const url = `/api/events/${eventId}`;
  const { classes } = raceEventEndpoints.get.response.parse((await as(organiser).get(url)).json());
  const ids = { eventId, classId: classes[0]?.id ?? '', trackId };
  await as(organiser).post(`${url}/state`, { state: 'open' });
  if (!driver) return ids;
  // The organiser enters the driver, who may be in many events: the changes of one person a minute are limited.
  const entry = { ...entryBody(ids), userId: driver.userId };
  const { id: entryId } = (await as(organiser).post(`${url}/entries`, entry)).json();
  if (state === 'open') return { ...ids, entryId };
  await as(organiser).post(`${url}/state`, { state });
  const { id: runId } = (await as(organiser).post(`${url}/runs`, runBody({ entryId }))).json();
  return { ...ids, entryId, runId };
}

/** Inserts the rows of an event in any state that a person made, with an entry and a typed run of the same person; returns their ids. */
export async function insertEntered(db: Database, userId: UserId, state: RaceEventState) {
  const trackId = await insertTrack(db);
  const event = raceEventEndpoints.create.body.parse(eventBody(trackId));
  const eventId = await insertRaceEvent(db, { ...event, createdBy: userId }, [{ trackId, name: 'Ring' }]);
  await setState(db, eventId, { state });
  const [first] = (await findRaceEvent(db, eventId))?.classes ?? [];
  if (!first) throw new Error('The event has no class.');
  const entryId = await insertEntry(db, { eventId, classId: first.id, userId, number: '27' });
  const run = { timeMs: 64_123, cones: 0, gates: 0, status: 'timed' as const };
  const runId = await insertRun(db, { ...run, entryId, courseNumber: 1, changedBy: userId });
  return { eventId, entryId, runId };
}

const entryBody = ({ classId }: { classId?: string }, number = '7') => ({ classId, number, group: null });

/** Returns the body of each call that changes an event, by its name. */
export const bodiesOfEvent = (ids: Record<string, string>): Record<string, object> => ({
  'POST /api/events': eventBody(ids['trackId'] ?? ''),
  'PATCH /api/events/:eventId': eventBody(ids['trackId'] ?? ''),
  'POST /api/events/:eventId/state': { state: 'provisional' },
  'POST /api/events/:eventId/entries': entryBody(ids),
  'PATCH /api/events/:eventId/entries/:entryId': entryBody(ids, '9'),
  'POST /api/events/:eventId/runs': runBody({ entryId: ids['entryId'] }),
  'PATCH /api/events/:eventId/runs/:runId': runBody({ reason: 'Read again' }),
});
