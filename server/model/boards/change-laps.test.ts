import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { TrackId, UserId } from '#contract/ids.ts';
import { deleteAccount } from '#server/model/people/delete-people.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { insertSession, insertTrack, insertUser } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { updatePreferences } from '#server/model/people/user-store.ts';
import { changeDrivers, changeLaps } from './change-laps.ts';

const app = useTestApp();

async function boardOf(trackId: TrackId) {
  const [row] = await app.db.select().from(tracks).where(eq(tracks.id, trackId));
  return { version: row?.boardVersion ?? Number.NaN, entryCount: row?.entryCount };
}

test('a change of laps raises the version of its board by one, and of no other', async () => {
  const [changed, other] = [await insertTrack(app.db), await insertTrack(app.db)];
  const userId = await insertUser(app.db);
  const before = { changed: await boardOf(changed), other: await boardOf(other) };
  await insertSession(app.db, { trackId: changed, userId, laps: [{ lapTimeMs: 60_000 }] });
  expect(await boardOf(changed)).toEqual({ version: before.changed.version + 1, entryCount: 1 });
  expect(await boardOf(other)).toEqual(before.other);
});

test('a change that fails leaves laps, board and version as they were', async () => {
  const trackId = await insertTrack(app.db);
  const userId = await insertUser(app.db);
  await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const before = await boardOf(trackId);
  const failing = app.db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [userId] }, async () => {
      await tx.delete(sessions).where(eq(sessions.userId, userId));
      throw new Error('the change failed');
    }),
  );
  await expect(failing).rejects.toThrow('the change failed');
  expect(await boardOf(trackId)).toEqual(before);
});

test('a change of a driver reaches every board they are on, and no other', async () => {
  const [one, two, other] = [await insertTrack(app.db), await insertTrack(app.db), await insertTrack(app.db)];
  const [userId, stays] = [await insertUser(app.db), await insertUser(app.db)];
  for (const trackId of [one, two]) {
    await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 61_000 }] });
    await insertSession(app.db, { trackId, userId: stays, laps: [{ lapTimeMs: 62_000 }] });
  }
  await insertSession(app.db, { trackId: other, userId: stays, laps: [{ lapTimeMs: 62_000 }] });
  const boards = async () => Promise.all([one, two, other].map(boardOf));
  const versions = (await boards()).map(({ version }) => version);
  await deleteAccount(app.db, userId);
  expect(await boards()).toEqual(
    versions.map((version, index) => ({ version: version + (index < 2 ? 1 : 0), entryCount: 1 })),
  );
});

test('changes that cross each other all come through, whatever order they name drivers and tracks in', async () => {
  const trackIds = [await insertTrack(app.db), await insertTrack(app.db), await insertTrack(app.db)];
  const userIds = [await insertUser(app.db), await insertUser(app.db), await insertUser(app.db)];
  for (const trackId of trackIds)
    for (const userId of userIds)
      await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const slower = (trackId: TrackId, of: UserId[]) => () =>
    app.db.transaction((tx) =>
      changeLaps(tx, { trackId, userIds: of }, () =>
        tx.update(laps).set({ lapTimeMs: 61_000 }).where(eq(laps.trackId, trackId)),
      ),
    );
  const rename = (of: UserId[], displayName: string) => () =>
    app.db.transaction((tx) =>
      changeDrivers(tx, of, async () => {
        for (const userId of of) await tx.update(users).set({ displayName }).where(eq(users.id, userId));
      }),
    );
  const backwards = userIds.toReversed();
  const changes = Array.from({ length: 6 }, (_, round) => [
    ...trackIds.map((trackId) => slower(trackId, round % 2 === 0 ? userIds : backwards)),
    rename(round % 2 === 0 ? backwards : userIds, `Name ${round}`),
    ...userIds.map(
      (userId) => () =>
        updatePreferences(app.db, userId, { displayName: `Own ${round} ${userId}`.slice(0, 40) }),
    ),
  ]).flat();
  const before = await Promise.all(trackIds.map(boardOf));
  await Promise.all(changes.map((change) => change()));
  const after = await Promise.all(trackIds.map(boardOf));
  // A round changes the laps of the track once, all drivers once, and every driver once.
  expect(after.map(({ version }, index) => version - (before[index]?.version ?? Number.NaN))).toEqual(
    trackIds.map(() => 6 * (1 + 1 + userIds.length)),
  );
});

describe('nothing but the board code', () => {
  const sources = execFileSync('git', ['ls-files', 'server', 'scripts'], {
    cwd: projectFolder,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('server/testing/'),
    )
    .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }));
  const outside = sources.filter(
    ({ path }) => !/^server\/model\/(boards|tracks\/board-version-store)/.test(path),
  );
  const filesWith = (pattern: RegExp) =>
    outside.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  test('raises a board version, and it does so in one place', () => {
    const raising = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/board_?version[^\n=]*\+\s*1/gi)].map(() => path),
    );
    expect(new Set(raising)).toEqual(new Set(['server/model/tracks/board-version-store.ts']));
    expect(filesWith(/board_version\s*=|\bboardVersion:(?!\s*(bigint|_))/)).toEqual([]);
  });

  test('writes session bests or counts of entries', () => {
    expect(
      filesWith(/(insert\s+into|update|delete\s+from|truncate|merge\s+into|copy)\s+"?session_bests/i),
    ).toEqual([]);
    expect(filesWith(/\.(insert|update|delete)\(sessionBests\)/)).toEqual([]);
    expect(filesWith(/entry_count\s*=|\bentryCount:\s*sql/)).toEqual([]);
  });

  test('refreshes bests, or locks drivers or tracks', () => {
    expect(filesWith(/\b(refreshSessionBests|raiseBoardVersions)\b/)).toEqual([]);
    // The job that deletes people holds a driver who may keep the account at the same moment; so does a refused file for a driver who leaves.
    expect(filesWith(/\blockDrivers\b/)).toEqual([
      'server/model/people/delete-people.ts',
      'server/model/refused-files/refused-files.ts',
    ]);
    expect(filesWith(/from\((users|tracks)\)[^;]*\.for\(/)).toEqual([]);
    expect(filesWith(/FROM (users|tracks)\b[^;`]*FOR (NO KEY )?(UPDATE|SHARE)/)).toEqual([]);
  });
});
