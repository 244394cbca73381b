import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { openAs, shareServer } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { SCREENS, useScreen } from './screens.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';

/** No track of the library is near. */
const HIDDEN = kartTrackAt({ lat: 47.25, lon: 9.95 });

const pitboard = shareServer();

for (const { screen, name, tag } of SCREENS) {
  test(
    `an administrator approves a proposed track, merges another into it, and removes a third (${name})`,
    { tag },
    async ({ browser }) => {
      const suffix = name.replaceAll(/\W/g, '');
      const [right, same, wrong] = [`Right ${suffix}`, `Same ${suffix}`, `Wrong ${suffix}`];
      const page = await openAs(browser, pitboard().url, 'Mara Lindqvist');
      await propose(page, right, 31);
      const oldId = await propose(page, same, 32);
      await propose(page, wrong, 33);

      await useScreen(page, screen);
      await page.goto(`${pitboard().url}/admin/import-tracks?tab=proposals`);
      const proposal = (title: string) => page.getByRole('article', { name: title });
      await expect(proposal(right)).toContainText('Proposed by Mara Lindqvist');
      await expectAccessible(page);
      await proposal(right).getByRole('button', { name: 'Lines' }).click();
      const lines = page.getByRole('dialog', { name: 'Edit Lines' });
      await expect(lines.getByRole('button', { name: 'Save Lines' })).toBeDisabled();
      await lines
        .getByRole('slider', { name: 'Move the start/finish line along the lap' })
        .press('ArrowRight');
      await expectAccessible(page);
      await lines.getByRole('button', { name: 'Save Lines' }).click();
      await expectToast(page, 'Lines Saved', `The lines of ${right} are corrected.`);
      await proposal(right).getByRole('button', { name: 'Approve' }).click();
      await expectToast(page, 'Track Approved', `${right} is official now.`);
      await expect(proposal(right)).toHaveCount(0);

      await proposal(same).getByRole('button', { name: 'Merge' }).click();
      const merge = page.getByRole('dialog', { name: 'Merge Track' });
      await merge.getByRole('button', { name: 'Merge' }).click();
      await expect(merge.getByRole('alert')).toHaveText('Choose the track that stays.');
      await merge.getByRole('radio', { name: new RegExp(`^${right}`) }).check();
      await expectAccessible(page);
      await merge.getByRole('button', { name: 'Merge' }).click();
      await expectToast(page, 'Tracks Merged', `Links to ${same} lead to ${right} now.`);

      await proposal(wrong).getByRole('button', { name: 'Remove' }).click();
      const remove = page.getByRole('dialog', { name: 'Remove Track' });
      await expect(remove).toContainText(`${wrong} and its outline are deleted`);
      await remove.getByRole('button', { name: 'Remove Track' }).click();
      await expectToast(page, 'Track Removed', wrong);
      // Other stories may have proposed tracks on the same server.
      for (const title of [right, same, wrong]) await expect(proposal(title)).toHaveCount(0);

      await page.goto(`${pitboard().url}/track/${oldId}`);
      await expect(page.getByRole('heading', { level: 1, name: right })).toBeVisible();
      expect(page.url()).not.toContain(oldId);
      for (const id of await listProposedIds(page, suffix)) await deleteTrack(page, id);
    },
  );
}

/** Proposes a track by the laps of a file; administrators may propose what is there already, so the names differ alone. */
async function propose(page: Page, name: string, seed: number): Promise<string> {
  const content = writeGpx(simulateDrive(HIDDEN, { seed, laps: 4 }));
  const { startFinishLine } = HIDDEN;
  const track = { name, location: 'Dornbirn', country: 'Austria', startFinishLine, sectors: [] };
  const url = pitboard().url;
  const response = await page.request.post(`${url}/api/tracks/proposals`, {
    headers: { origin: url },
    multipart: {
      track: JSON.stringify(track),
      file: { name: 'laps.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(content) },
    },
  });
  const answer: { id?: string } = await response.json();
  if (answer.id === undefined) throw new Error(`Not proposed: ${JSON.stringify(answer)}`);
  return answer.id;
}

async function listProposedIds(page: Page, suffix: string): Promise<string[]> {
  const response = await page.request.get(`${pitboard().url}/api/admin/tracks?q=${suffix}`);
  const { tracks }: { tracks: { id: string }[] } = await response.json();
  return tracks.map(({ id }) => id);
}

async function deleteTrack(page: Page, id: string): Promise<void> {
  await page.request.delete(`${pitboard().url}/api/admin/tracks/${id}`, {
    headers: { origin: pitboard().url },
  });
}
