import type { LapId } from '#contract/ids.ts';
import { listDriverBests } from '#server/model/boards/rank-store.ts';
import type { StoredEvent } from '#server/model/events/event-kinds.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { NewNotice } from './notice-kinds.ts';
import { insertNotices, listRivals } from './notice-store.ts';

// On a board of a one-make cup, a first lap concerns the drivers of similar rank.
const RIVALS_MAX = 10;

const NO_LAPS = { otherUserId: null, lapId: null, comparedLapId: null };

/** Makes the notices of events of one track. Repeated calls with the same events make them once. */
export async function makeNotices(tx: Database, events: readonly StoredEvent[]): Promise<void> {
  const overtaken = events.flatMap((event) =>
    event.kind === 'rank_lost' ? [toKey(event, event.payload)] : [],
  );
  for (const event of events) {
    const made = await describe(tx, event);
    // An overtaken driver needs no second notice about the rival.
    const isKnown = ({ kind, userId, lapId }: NewNotice) =>
      kind === 'new_rival' && overtaken.includes(`${userId} ${lapId}`);
    await insertNotices(
      tx,
      made.filter((notice) => !isKnown(notice)),
    );
  }
}

const toKey = ({ userId }: StoredEvent, { otherLapId }: { otherLapId: LapId }) => `${userId} ${otherLapId}`;

async function describe(tx: Database, event: StoredEvent): Promise<NewNotice[]> {
  const of = { userId: event.userId, trackId: event.trackId, eventId: event.id };
  switch (event.kind) {
    case 'rank_lost':
      return [{ ...of, ...(await describeLostRank(tx, event)) }];
    case 'lap_decided': {
      const { lapId, ...payload } = event.payload;
      return [{ ...of, ...NO_LAPS, kind: 'lap_decided', lapId, payload }];
    }
    case 'lap_questioned': {
      const { lapId, ...payload } = event.payload;
      return [{ ...of, ...NO_LAPS, kind: 'lap_questioned', lapId, payload }];
    }
    case 'lap_answered': {
      const { lapId, lapTimeMs } = event.payload;
      const { otherUserId } = event;
      return [{ ...of, ...NO_LAPS, otherUserId, kind: 'lap_answered', lapId, payload: { lapTimeMs } }];
    }
    case 'track_approved':
      return [{ ...of, ...NO_LAPS, kind: 'proposal_approved', payload: { carName: null } }];
    case 'track_corrected':
      return [{ ...of, ...NO_LAPS, kind: 'proposal_corrected', payload: {} }];
    case 'track_merged': {
      const { trackName } = event.payload;
      return [{ ...of, ...NO_LAPS, kind: 'track_merged', payload: { trackName } }];
    }
    case 'personal_best':
      return event.payload.previousLapTimeMs === null ? await describeRivals(tx, event) : [];
    default:
      return [];
  }
}

async function describeLostRank(
  tx: Database,
  { trackId, userId, otherUserId, payload }: Extract<StoredEvent, { kind: 'rank_lost' }>,
) {
  const [own] = await listDriverBests(tx, trackId, [userId]);
  const gapMs = payload.lapTimeMs - payload.otherLapTimeMs;
  const laps = {
    otherUserId,
    lapId: payload.otherLapId,
    // The driver may have been faster since.
    comparedLapId: own?.lapTimeMs === payload.lapTimeMs ? own.lapId : null,
  };
  return payload.previousRank === 1
    ? { ...laps, kind: 'record_lost' as const, payload: { gapMs } }
    : { ...laps, kind: 'rank_lost' as const, payload: { rank: payload.previousRank, gapMs } };
}

async function describeRivals(
  tx: Database,
  { trackId, id, userId, sessionId, payload }: Extract<StoredEvent, { kind: 'personal_best' }>,
): Promise<NewNotice[]> {
  if (sessionId === null) return [];
  const rivals = await listRivals(tx, { trackId, sessionId, limit: RIVALS_MAX });
  return rivals.map((rival) => ({
    kind: 'new_rival',
    userId: rival.userId,
    trackId,
    eventId: id,
    otherUserId: userId,
    lapId: payload.lapId,
    comparedLapId: rival.lapId,
    payload: { carName: rival.carName, gapMs: payload.lapTimeMs - rival.lapTimeMs },
  }));
}
