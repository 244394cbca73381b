import type { RaceEventId, TrackId } from '#contract/ids.ts';
import { mayModerate, type Viewer } from '#contract/people/labels.ts';
import type { RaceEventState } from '#contract/race-events/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { countEntries } from './entry-store.ts';
import { addMakeOfficial } from './make-official.ts';
import { findRaceEvent, setState, type StoredRaceEvent } from './race-event-store.ts';

const MINUTE_MS = 60_000;

/**
 * Finds and locks an event to change it.
 * @throws AppError `not_found` for a draft that the viewer does not see, `conflict` where its results are official
 */
export async function lockRaceEvent(tx: Database, id: RaceEventId, viewer: Viewer): Promise<StoredRaceEvent> {
  const event = await findRaceEvent(tx, id, true);
  if (!event || (event.state === 'draft' && !mayModerate(viewer)))
    throw new AppError('not_found', 'There is no such event.');
  if (event.state === 'official')
    throw new AppError('conflict', 'The results of this event are official: it does not change any more.');
  return event;
}

/** Names the tracks of courses. @throws AppError `not_found` for an unknown track */
export async function nameCourses(
  db: Database,
  courses: readonly { trackId: TrackId }[],
): Promise<{ trackId: TrackId; name: string }[]> {
  const named = [];
  for (const { trackId } of courses) {
    const track = await findTrack(db, trackId);
    if (!track) throw new AppError('not_found', 'There is no such track.');
    named.push({ trackId, name: [track.name, track.configuration].filter(Boolean).join(' ') });
  }
  return named;
}

const NEXT: Partial<Record<RaceEventState, RaceEventState>> = {
  draft: 'open',
  open: 'running',
  running: 'provisional',
};

/** Moves an event on by one state, or back with a reason. @throws AppError `conflict` or `invalid_input` */
export async function stepRaceEvent(
  tx: Database,
  event: StoredRaceEvent,
  { state, reason }: { state: RaceEventState; reason?: string | undefined },
): Promise<void> {
  if (NEXT[event.state] !== state) await checkStepBack(tx, event, state, reason);
  if (state === 'provisional') return await startProtestTime(tx, event);
  await setState(tx, event.id, { state, provisionalUntil: null });
}

async function checkStepBack(
  tx: Database,
  { id, state: from }: StoredRaceEvent,
  to: RaceEventState,
  reason: string | undefined,
): Promise<void> {
  if (NEXT[to] !== from) throw new AppError('conflict', `An event does not go from ${from} to ${to}.`);
  if (to === 'draft' && (await countEntries(tx, id)) > 0)
    throw new AppError('conflict', 'There are entries, so the event cannot be a draft again.');
  if (reason === undefined) throw missingReason();
}

export function missingReason(): AppError {
  const sentence = 'Please give a reason.';
  return new AppError('invalid_input', sentence, { fields: { reason: sentence } });
}

/** Starts the time for protests again where a change may have changed provisional results. */
export async function openToProtests(tx: Database, event: StoredRaceEvent): Promise<void> {
  if (event.state === 'provisional') await startProtestTime(tx, event);
}

/** Makes results provisional from now on, and official once the time for protests is over. */
async function startProtestTime(tx: Database, event: StoredRaceEvent): Promise<void> {
  const delayMs = event.protestMinutes * MINUTE_MS;
  await setState(tx, event.id, { state: 'provisional', provisionalUntil: new Date(Date.now() + delayMs) });
  await addMakeOfficial(tx, event.id, delayMs / 1000);
}
