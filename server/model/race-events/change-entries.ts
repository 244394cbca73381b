import type { RaceEventEntryId, RaceEventId, UserCarId, UserId } from '#contract/ids.ts';
import { mayModerate, type Viewer } from '#contract/people/labels.ts';
import { ENTRY_LIMITS } from '#contract/race-events/labels.ts';
import type { EntryInput, NewEntryInput } from '#contract/race-events/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findCarName, findUserCar } from '#server/model/cars/garage-store.ts';
import { findRoleClaim } from '#server/model/people/people-store.ts';
import { countEntries, findEntry, insertEntry, isEntered, updateEntry } from './entry-store.ts';
import { openToProtests } from './change-event.ts';
import type { StoredRaceEvent } from './race-event-store.ts';

/** Enters the viewer, or for those who run the club somebody else. @throws AppError with the reason where that cannot be */
export async function addEntry(
  tx: Database,
  event: StoredRaceEvent,
  viewer: Viewer,
  { userId: givenId, driverName, ...input }: NewEntryInput,
): Promise<RaceEventEntryId> {
  const userId = driverName === undefined ? (givenId ?? viewer.id) : null;
  if (userId !== viewer.id && !mayModerate(viewer))
    throw new AppError('not_allowed', 'Only those who run the club enter others.');
  checkIsOpen(event, viewer);
  if (userId !== null && userId !== viewer.id && !(await findRoleClaim(tx, userId)))
    throw new AppError('not_found', 'There is no such person.');
  if (userId !== null && (await isEntered(tx, event.id, { userId })))
    throw new AppError('conflict', 'This driver is in the event already.');
  if ((await countEntries(tx, event.id)) >= ENTRY_LIMITS.entriesMax)
    throw new AppError('conflict', `An event has at most ${ENTRY_LIMITS.entriesMax} entries.`);
  await checkNumber(tx, event.id, { number: input.number });
  const fields = await readFields(tx, event, userId, input);
  await openToProtests(tx, event);
  return await insertEntry(tx, { ...fields, eventId: event.id, userId, driverName: driverName ?? null });
}

/** Changes an entry; returns it as it was. @throws AppError with the reason where that cannot be */
export async function changeEntry(
  tx: Database,
  event: StoredRaceEvent,
  viewer: Viewer,
  { entryId, input }: { entryId: RaceEventEntryId; input: EntryInput },
): Promise<{ number: string }> {
  const before = await getEntry(tx, event, viewer, entryId);
  await checkNumber(tx, event.id, { number: input.number, except: entryId });
  await openToProtests(tx, event);
  await updateEntry(tx, entryId, await readFields(tx, event, before.userId, input));
  return before;
}

/** Withdraws an entry; returns it. @throws AppError with the reason where that cannot be */
export async function withdrawEntry(
  tx: Database,
  event: StoredRaceEvent,
  viewer: Viewer,
  entryId: RaceEventEntryId,
): Promise<{ number: string }> {
  const entry = await getEntry(tx, event, viewer, entryId);
  await openToProtests(tx, event);
  await updateEntry(tx, entryId, { withdrawnAt: new Date() });
  return entry;
}

async function getEntry(tx: Database, event: StoredRaceEvent, viewer: Viewer, entryId: RaceEventEntryId) {
  const entry = await findEntry(tx, event.id, entryId);
  if (!entry) throw new AppError('not_found', 'There is no such entry.');
  if (entry.userId !== viewer.id && !mayModerate(viewer))
    throw new AppError('not_allowed', 'This entry is of somebody else.');
  checkIsOpen(event, viewer);
  if (entry.withdrawnAt !== null) throw new AppError('conflict', 'This entry was withdrawn.');
  return entry;
}

/** Drivers change entries while the event is open, those who run the club until it is official. */
function checkIsOpen({ state }: StoredRaceEvent, viewer: Viewer): void {
  if (state !== 'open' && !mayModerate(viewer))
    throw new AppError('conflict', 'The entries of this event are closed. Ask those who run it.');
}

async function checkNumber(
  tx: Database,
  eventId: RaceEventId,
  who: { number: string; except?: RaceEventEntryId },
): Promise<void> {
  if (!(await isEntered(tx, eventId, who))) return;
  const sentence = `Number ${who.number} is taken.`;
  throw new AppError('conflict', sentence, { fields: { number: sentence } });
}

/** Checks the class and the car of an entry, and names the car. */
async function readFields(
  tx: Database,
  { classes }: StoredRaceEvent,
  userId: UserId | null,
  { classId, number, group, userCarId = null, carName = null }: EntryInput,
) {
  if (!classes.some(({ id }) => id === classId))
    throw new AppError('invalid_input', 'This class is not of the event.', {
      fields: { classId: 'This class is not of the event.' },
    });
  return { classId, number, group, userCarId, carName: (await nameCar(tx, userId, userCarId)) ?? carName };
}

async function nameCar(
  tx: Database,
  userId: UserId | null,
  userCarId: UserCarId | null,
): Promise<string | null> {
  if (userCarId === null) return null;
  const car = userId === null ? undefined : await findUserCar(tx, userId, userCarId);
  if (!car) throw new AppError('not_found', "There is no such car in the driver's garage.");
  return await findCarName(tx, userCarId);
}
