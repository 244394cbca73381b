import { expect } from '@playwright/test';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MX5 = 'mazda-mx-5-nb-1-8';

const server = shareServer();

test('a driver who loses the record sees it at once in the header, opens the comparison, and mutes such notices', async ({
  browser,
}) => {
  const { url } = server();
  const [theo, priya] = [
    await openAs(browser, url, 'Theo Okafor'),
    await openAs(browser, url, 'Priya Venkat'),
  ];
  const drive = async (page: typeof theo, seed: number, topSpeedMetersPerSecond: number) => {
    const userCarId = await addCar(page, url, MX5);
    await uploadLaps(page, url, { trackId: SPA, userCarId, seed, topSpeedMetersPerSecond });
  };
  await drive(theo, 1, 52);
  await theo.goto(url);
  await expect(theo.getByRole('button', { name: 'Notices', exact: true })).toBeVisible();
  await drive(priya, 2, 60);
  await theo.getByRole('button', { name: 'Notices, 1 unread' }).click();
  const panel = theo.getByRole('region', { name: 'Notices' });
  const notice = panel.getByRole('link', { name: /Priya Venkat took the record at Circuit de Spa/ });
  await expect(notice).toBeVisible();
  await expectAccessible(theo);
  await notice.click();
  await expect(theo).toHaveURL(/\/track\/.*\?lap=.*&vs=/);
  await theo.getByRole('button', { name: 'Notices', exact: true }).click();

  await panel.getByRole('link', { name: 'Settings' }).click();
  // Only owners and administrators get these.
  await expect(theo.getByRole('row').filter({ hasText: /^(Refused files|Wanted tracks)/ })).toHaveCount(0);
  await theo.getByRole('switch', { name: 'Positions lost: mail' }).uncheck();
  await theo.getByRole('switch', { name: 'Records lost: bell' }).uncheck();
  await expect(theo.getByRole('switch', { name: 'Records lost: mail' })).toBeDisabled();
  await expectAccessible(theo);
  await theo.getByRole('button', { name: 'Save Changes' }).click();
  await expectToast(theo, 'Profile Updated', 'Your profile has been saved successfully');
  await theo.goto(`${url}/profile/edit/notices`);
  await expect(theo.getByRole('switch', { name: 'Records lost: bell' })).not.toBeChecked();
  await expect(theo.getByRole('switch', { name: 'Positions lost: bell' })).toBeChecked();
  await expect(theo.getByRole('switch', { name: 'Positions lost: mail' })).not.toBeChecked();
});
