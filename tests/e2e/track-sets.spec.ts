import { expect, type Page } from '@playwright/test';
import type { TrackSet } from '#contract/tracks/sets.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { driver } from './stand-in-world.ts';
import type { StandIn } from './stand-in.ts';
import { test } from './test.ts';

// Published sets of tracks on the page Import Tracks and in the notices. Their fetch itself is tested beside the server.

const OPEN_RACETRACK_DB: TrackSet = {
  name: 'open-racetrack-db',
  title: 'Open Racetrack Database',
  summary: '763 venues, 976 layouts',
  licence: 'ODbL 1.0',
  attribution: '© OpenStreetMap contributors',
  sourceUrl: 'https://github.com/markthebault/open-racetrack-db',
  commit: '99ed232a7f48',
  approximateBytes: null,
  state: 'absent',
  progress: null,
  problem: null,
  result: null,
  hasAsked: false,
};
const TRACK_DATA: TrackSet = {
  ...OPEN_RACETRACK_DB,
  name: 'track-data',
  title: 'zaggyai/track_data',
  summary: '5,500 layouts',
  licence: 'MIT by its licence file, sources not named',
  attribution: '© 2024 zaggy.ai',
  approximateBytes: 10_192_889,
};
const PROBLEM =
  'The download was cut off after 4.2 MB. Try again: it goes on where it ended if the host offers that.';

function tellSets(standIn: StandIn, changes: Partial<TrackSet> = {}): TrackSet {
  const set = { ...OPEN_RACETRACK_DB, ...changes };
  standIn.answer('GET /api/track-sets', { sets: [set, TRACK_DATA] });
  return set;
}

const listSets = (page: Page) => page.getByRole('list', { name: 'Sets of tracks' });

test('an administrator gets a set with one click, sees how far it is, and removes it', async ({
  page,
  signedIn,
}) => {
  signedIn.world.user = driver({ isAdmin: true });
  tellSets(signedIn);
  await page.goto(`${signedIn.url}/admin/import-tracks`);
  const [first, second] = [
    listSets(page).getByRole('listitem').first(),
    listSets(page).getByRole('listitem').last(),
  ];
  await expect(first).toContainText('763 venues, 976 layouts · © OpenStreetMap contributors · ODbL 1.0');
  await expect(second).toContainText('sources not named · 10.2 MB to download');
  await expectAccessibleEverywhere(page);

  const fetch = 'POST /api/admin/track-sets/open-racetrack-db/fetch';
  signedIn.answer(
    fetch,
    tellSets(signedIn, { state: 'fetching', progress: { done: 4_200_000, total: 61_000_000 } }),
  );
  await page.getByRole('button', { name: 'Get Tracks: Open Racetrack Database' }).click();
  await expect(first.getByRole('progressbar')).toHaveAccessibleName('Fetching: 4.2 of 61.0 MB');
  await expectAccessibleEverywhere(page);
  tellSets(signedIn, { state: 'adding', progress: { done: 600, total: 868 } });
  await expect(first).toContainText('Adding: 600 of 868 layouts');

  tellSets(signedIn, { state: 'failed', problem: PROBLEM });
  await expect(first).toContainText(PROBLEM);
  await expectAccessibleEverywhere(page);
  const result = { tracks: 0, courses: 868, known: 31, duplicates: 9, leftOut: 12 };
  tellSets(signedIn, { state: 'installed', result });
  await page.getByRole('button', { name: 'Try Again: Open Racetrack Database' }).click();
  await expect(first).toContainText('Added 868 courses, whose first drivers confirm the start line.');
  await expectAccessibleEverywhere(page);

  signedIn.answer('DELETE /api/admin/track-sets/open-racetrack-db', {
    removedTracks: 0,
    keptTracks: 2,
    removedCourses: 868,
  });
  await page.getByRole('button', { name: 'Remove Set: Open Racetrack Database' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove Open Racetrack Database?' });
  await expectAccessibleEverywhere(page);
  tellSets(signedIn);
  await dialog.getByRole('button', { name: 'Remove Set' }).click();
  await expect(page.getByText('Gone: 868 layouts. 2 tracks with laps stayed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get Tracks: Open Racetrack Database' })).toBeVisible();
  expect(signedIn.calls.map(({ method, path }) => `${method} ${path}`)).toContain(fetch);
});

test('a driver asks for tracks, and one click in the notices of an administrator gets them', async ({
  page,
  signedIn,
}) => {
  signedIn.world.user = driver({ isAdmin: true });
  tellSets(signedIn);
  const asked = {
    id: '2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934',
    kind: 'tracks_asked',
    createdAt: new Date().toISOString(),
    isRead: false,
    text: 'Ana Lima asks you to get the tracks of Open Racetrack Database.',
    link: '/admin/import-tracks',
    wantedTrackSet: 'open-racetrack-db',
  };
  signedIn.answer('GET /api/notices', { notices: [asked], unread: 1 });
  await page.goto(signedIn.url);
  await page.getByRole('button', { name: /^Notices/ }).click();
  const get = page.getByRole('button', { name: 'Get Tracks: Open Racetrack Database' });
  await expect(get).toBeVisible();
  await expectAccessibleEverywhere(page);
  const fetch = 'POST /api/admin/track-sets/open-racetrack-db/fetch';
  signedIn.answer(fetch, tellSets(signedIn, { state: 'waiting' }));
  await get.click();
  await expect(page.getByText('Open Racetrack Database is on its way.')).toBeVisible();
  await expect(get).toBeHidden();
});
