import type { TrackId } from '#contract/ids.ts';
import type { RaceEventInput } from '#contract/race-events/schemas.ts';
import { DAY_MS } from '#engine/durations.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { findCarName } from '#server/model/cars/garage-store.ts';
import { nameCourses, stepRaceEvent } from '#server/model/race-events/change-event.ts';
import { insertEntry } from '#server/model/race-events/entry-store.ts';
import {
  findRaceEvent,
  hasRaceEventsBy,
  insertRaceEvent,
} from '#server/model/race-events/race-event-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import type { StoredDriver } from './demo-driver-store.ts';
import { DEMO_MODERATOR } from './demo-drivers.ts';
import type { DemoDriver, DemoSession } from './season.ts';

const EVENT_DAYS = 7;
const ENTERED_EARLY = 6;
const NEXT_EVENT_DAYS = 16;

type HeldEvent = Pick<RaceEventInput, 'name' | 'description' | 'firstDay' | 'lastDay'> & {
  trackId: TrackId;
  drivers: readonly DemoDriver[];
};

/** Holds two events of the demo community, unless they were: one whose laps are driven, and one that is open for entries. */
export async function holdEvents(
  db: Database,
  season: readonly DemoDriver[],
  stored: ReadonlyMap<string, StoredDriver>,
): Promise<void> {
  const organiser = stored.get(DEMO_MODERATOR)?.userId;
  const busiest = findBusiestWeek(season);
  if (organiser === undefined || busiest === null) return;
  await db.transaction(async (tx) => {
    // Administrators may have deleted the track from the library.
    if ((await hasRaceEventsBy(tx, organiser)) || !(await findTrack(tx, busiest.trackId))) return;
    const held = await hold(tx, { ...busiest, createdBy: organiser }, stored);
    // It becomes official at once, by the job that makes all events official.
    for (const state of ['running', 'provisional'] as const)
      await stepRaceEvent(tx, await getRaceEvent(tx, held), { state });
    await hold(tx, { ...planNext(season, busiest), createdBy: organiser }, stored);
  });
}

async function hold(
  tx: Database,
  { trackId, drivers, createdBy, ...event }: HeldEvent & { createdBy: StoredDriver['userId'] },
  stored: ReadonlyMap<string, StoredDriver>,
) {
  const settings = { firstRuns: null, countedRuns: 1, conePenaltyMs: 2_000, gatePenaltyMs: 10_000 };
  const rule = { tieRule: 'shared' as const, takesLaps: true, protestMinutes: 0 };
  const courses = await nameCourses(tx, [{ trackId }]);
  const classes = [{ name: 'All cars', indexFactor: null }];
  const eventId = await insertRaceEvent(
    tx,
    { ...event, ...settings, ...rule, courses: [{ trackId }], classes, createdBy },
    courses,
  );
  const draft = await getRaceEvent(tx, eventId);
  const [all] = draft.classes;
  if (!all) throw new Error('The event has no class.');
  await stepRaceEvent(tx, draft, { state: 'open' });
  for (const [index, { subject }] of drivers.entries()) {
    const driver = stored.get(subject);
    if (!driver) continue;
    const { userId, userCarId } = driver;
    const carName = await findCarName(tx, userCarId);
    await insertEntry(tx, {
      eventId,
      classId: all.id,
      userId,
      userCarId,
      carName,
      number: String(index + 1),
    });
  }
  return eventId;
}

async function getRaceEvent(tx: Database, eventId: Parameters<typeof findRaceEvent>[1]) {
  const event = await findRaceEvent(tx, eventId);
  if (!event) throw new Error('The event was not stored.');
  return event;
}

type Driven = { driver: DemoDriver; session: DemoSession };

/** Finds the week of a track in which most drivers had a session without a mishap, the earliest of several. */
function findBusiestWeek(season: readonly DemoDriver[]): HeldEvent | null {
  const driven = season
    .flatMap((driver) => driver.sessions.map((session) => ({ driver, session })))
    .filter(({ session }) => session.mishap === null);
  let busiest: Driven[] = [];
  for (const { session: first } of driven) {
    const week = driven.filter(({ session }) => isInWeek(session, first));
    if (countDrivers(week) > countDrivers(busiest)) busiest = week;
  }
  const [first] = busiest.toSorted((a, b) => a.session.startTimeMs - b.session.startTimeMs);
  if (!first) return null;
  return {
    name: 'Club Time Attack',
    description: 'Drive any day of the week, in your own car. Your best lap counts.',
    ...findDays(first.session.startTimeMs, EVENT_DAYS),
    trackId: first.session.trackId,
    drivers: [...new Set(busiest.map(({ driver }) => driver))],
  };
}

function isInWeek({ trackId, startTimeMs }: DemoSession, first: DemoSession): boolean {
  // A day less: the days of the event begin at midnight, wherever the track is.
  const endMs = first.startTimeMs + (EVENT_DAYS - 1) * DAY_MS;
  return trackId === first.trackId && startTimeMs >= first.startTimeMs && startTimeMs < endMs;
}

function countDrivers(driven: readonly Driven[]): number {
  return new Set(driven.map(({ driver }) => driver)).size;
}

/** Plans an event on the same track, two weeks after the end of the season. */
function planNext(season: readonly DemoDriver[], { trackId }: HeldEvent): HeldEvent {
  const lastMs = Math.max(
    ...season.flatMap(({ sessions }) => sessions.map((session) => session.startTimeMs)),
  );
  return {
    name: 'Season Finale',
    description: 'The last event of the year. Enter your car, upload your laps in the evening.',
    ...findDays(lastMs + NEXT_EVENT_DAYS * DAY_MS, 2),
    trackId,
    drivers: season.slice(0, ENTERED_EARLY),
  };
}

function findDays(startMs: number, days: number): { firstDay: string; lastDay: string } {
  return { firstDay: toDay(startMs), lastDay: toDay(startMs + (days - 1) * DAY_MS) };
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
