import { z } from 'zod';
import { TIME_PERIODS, TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import { lapRecordSchema } from '#contract/laps/schemas.ts';
import { listedTrackSchema } from '#contract/tracks/schemas.ts';
import { boardOf, stateOf, type BoardQuery, type BoardRow } from './community.ts';
import { isRightBoard } from './review-soak.ts';
import { call, pick, type Soak } from './soak.ts';

const boardSchema = z.array(lapRecordSchema);
const tracksSchema = z.array(listedTrackSchema.pick({ id: true, entryCount: true }));

/** Reads a board with some filter or none and compares it with what it must be. */
export async function checkBoard(soak: Soak): Promise<void> {
  const { id: trackId } = pick(soak, soak.tracks);
  const query = anyQuery(soak);
  const limit = soak.random.uniform() < 0.5 ? undefined : 1 + Math.floor(soak.random.uniform() * 20);
  const search = new URLSearchParams({ ...query, ...(limit && { limit: String(limit) }) });
  const reader = soak.random.uniform() < 0.5 ? null : pick(soak, soak.drivers);
  const path = `/api/laps/track/${trackId}/best?${search}`;
  const before = stateOf(soak.changes, trackId);
  const board = boardSchema.parse(await call(soak, reader, ['GET', path]));
  if (before === null || before !== stateOf(soak.changes, trackId)) {
    soak.counts.boardsUnjudged += 1;
    return;
  }
  const rows = board.map(({ driverId, userName, userAvatar, lapTimeMs, rank, gapMs }): BoardRow => ({
    driverId,
    userName,
    hasAvatar: userAvatar !== null,
    lapTimeMs,
    rank,
    gapMs,
  }));
  const whole = boardOf(soak.drivers, trackId, query);
  soak.counts.boardsJudged += 1;
  if (isRightBoard(rows, whole, limit)) return;
  soak.counts.wrongBoards += 1;
  soak.failures.push(`A wrong board: ${path}\n  ${JSON.stringify(rows)}\n  must be ${JSON.stringify(whole)}`);
}

/** Reads the list of tracks and compares its counts of entries. */
export async function checkTracks(soak: Soak): Promise<void> {
  const before = soak.tracks.map(({ id }) => stateOf(soak.changes, id));
  const listed = tracksSchema.parse(await call(soak, pick(soak, soak.drivers), ['GET', '/api/tracks']));
  for (const [index, { id }] of soak.tracks.entries()) {
    if (before[index] === null || before[index] !== stateOf(soak.changes, id)) continue;
    const listedCount = listed.find((track) => track.id === id)?.entryCount;
    const right = boardOf(soak.drivers, id, {}).length;
    if (listedCount !== right) soak.failures.push(`${id} has ${right} entries, not ${listedCount}.`);
  }
}

/** Reads something else that a page shows, as a driver who is not in the middle of leaving. */
export async function readSomething(soak: Soak): Promise<void> {
  const driver = pick(soak, soak.drivers);
  const { id: trackId } = pick(soak, soak.tracks);
  if (soak.busy.has(driver)) return;
  soak.busy.add(driver);
  const paths = [
    '/',
    `/track/${trackId}`,
    '/api/auth/user',
    '/api/user-cars',
    '/api/car-library/search?q=mx',
    `/api/laps/track/${trackId}/summary`,
    `/api/laps/user/${driver.id}/by-car`,
    `/api/laps/user/${driver.id}/by-track`,
    `/api/sessions/user/${driver.id}`,
    `/api/tracks/${trackId}`,
    `/api/users/${driver.id}/cars`,
  ];
  try {
    await call(soak, driver, ['GET', pick(soak, paths)]);
  } finally {
    soak.busy.delete(driver);
  }
}

function anyQuery(soak: Soak): BoardQuery {
  const model = pick(soak, soak.models);
  return pick<() => BoardQuery>(soak, [
    () => ({}),
    () => ({}),
    () => ({ make: model.make }),
    () => ({ tire: pick(soak, TIRE_COMPOUNDS) }),
    () => ({ timePeriod: pick(soak, TIME_PERIODS) }),
    () => (model.raceClass === null ? {} : { raceClass: model.raceClass }),
    () => ({
      ...(model.drivetrain !== null && { drivetrain: model.drivetrain }),
      tire: pick(soak, TIRE_COMPOUNDS),
      timePeriod: pick(soak, TIME_PERIODS),
    }),
  ])();
}
