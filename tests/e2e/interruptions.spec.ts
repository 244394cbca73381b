import { expect } from '@playwright/test';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';

// These stories are interrupted: by a lost connection, a sign-in that ends, a tab that is closed, another one that changes something.

test(
  'the browser asks before what was typed or chosen is lost with the tab',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.goto(`${signedIn.url}/profile/edit`);
    await page.getByLabel('Display Name').click();
    await page.reload();
    expect(asked).toEqual([]);
    await page.getByLabel('Display Name').click();
    await page.getByLabel('Display Name').fill('Nadia the Quick');
    await page.reload();
    expect(asked).toEqual(['beforeunload']);

    await page.goto(`${signedIn.url}/upload`);
    await page.getByRole('heading', { level: 1 }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a') });
    await page.getByRole('link', { name: 'Leaderboards' }).click();
    await page.reload();
    expect(asked).toEqual(['beforeunload', 'beforeunload']);
  },
);

test('a sign-in that ends while a form is open takes nothing of it; another tab brings it back', async ({
  page,
  signedIn,
}) => {
  await page.goto(`${signedIn.url}/profile/edit`);
  await page.getByLabel('Display Name').fill('Nadia the Quick');
  signedIn.answer('PATCH /api/auth/user/preferences', 'Unauthorized', 401);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'You Have Been Signed Out' });
  const again = dialog.getByRole('link', { name: 'Sign In Again' });
  await expect(again).toBeFocused();
  await expect(again).toHaveAttribute('href', '/login');
  await expect(again).toHaveAttribute('target', '_blank');
  await expectToast(page, 'Update Failed', 'Failed to update profile. Please try again.');
  await page.setViewportSize({ width: 375, height: 700 });
  const [tab] = await Promise.all([page.waitForEvent('popup'), again.click()]);
  await tab.close();

  // The browser does the same when the reader comes back from the other tab.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Display Name')).toHaveValue('Nadia the Quick');
});

test('a page that cannot be fetched while the connection is lost says so, and comes once it is back', async ({
  page,
  context,
  standIn,
}) => {
  await page.goto(standIn.url);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Explore Leaderboards' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'This page could not be shown.' });
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(failure).toContainText('The server does not answer. Check your connection and try again.');
  await context.setOffline(false);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Track Leaderboards');
});

test('data that cannot be fetched without a network are said to be missing, and come once it is back', async ({
  page,
  context,
  standIn,
}) => {
  await page.goto(`${standIn.url}/leaderboards`);
  await page.getByRole('link', { name: 'Meadow Ring', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Meadow Ring');
  await page.goBack();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Harbour Loop', exact: true }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'The track could not be loaded.' });
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(failure).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour Loop');
});

test('a profile that is half edited is as it was left after another page, and Cancel gives it up', async ({
  page,
  signedIn,
}) => {
  await page.goto(`${signedIn.url}/profile/edit`);
  const name = page.getByLabel('Display Name');
  const before = await name.inputValue();
  await name.fill('Nadia the Quick');
  await page.getByRole('link', { name: 'Notices', exact: true }).click();
  await expect(name).toHaveCount(0);
  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await expect(name).toHaveValue('Nadia the Quick');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(name).toHaveCount(0);
  await page.goBack();
  await expect(name).toHaveValue(before);
});

test('a link that the server could not be asked about keeps its page, until the server refuses it', async ({
  page,
  standIn,
}) => {
  const gone = { error: 'not_found', message: 'The invitation has been used. Ask for a new one.' };
  standIn.answer('POST /api/auth/link', 'Away', 503);
  await page.goto(`${standIn.url}/login?link=sign-in#token`);
  const unopened = page.getByRole('alert').filter({ hasText: 'The link could not be opened.' });
  await expect(unopened).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Sign In' })).toHaveCount(0);
  standIn.answer('POST /api/auth/link', { email: 'ada@club.example', name: 'Ada Brook' });
  await unopened.getByRole('button', { name: 'Retry' }).click();

  standIn.answer('POST /api/auth/sign-in-link', 'Away', 503);
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  await signIn.click();
  await expect(page.getByRole('alert')).toHaveText('Something went wrong. Please try again.');
  standIn.answer('POST /api/auth/sign-in-link', gone, 404);
  await signIn.click();
  await expect(page.getByRole('alert')).toHaveText(gone.message);
  await expect(page.getByRole('link', { name: 'Go to Sign In' })).toBeVisible();
  await expect(signIn).toHaveCount(0);
});

test('the sign-in page offers nothing before it knows how people sign in', async ({ page, standIn }) => {
  const release = standIn.hold('GET /api/auth/sign-in-methods');
  standIn.answer('GET /api/auth/sign-in-methods', 'Away', 503);
  await page.goto(`${standIn.url}/login`);
  const provider = page.getByRole('link', { name: /^Continue with/ });
  await expect(page.getByText('Loading ways to sign in...')).toBeVisible();
  await expect(provider).toHaveCount(0);
  release();
  const failed = page.getByRole('alert').filter({ hasText: 'The ways to sign in could not be loaded.' });
  await expect(failed).toBeVisible();
  await expect(provider).toHaveCount(0);
  const methods = { hasPasswords: true, provider: null, registration: 'invited', isSetUp: true };
  standIn.answer('GET /api/auth/sign-in-methods', { ...methods, clubName: 'Harbour Club', sendsMail: false });
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await expect(provider).toHaveCount(0);
});

test(
  'a car that was added in another tab can be chosen for an upload that waits',
  { tag: '@all' },
  async ({ page, context, signedIn }) => {
    const cars = signedIn.world.userCars;
    signedIn.world.userCars = [];
    await page.goto(`${signedIn.url}/upload`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a') });
    await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
    await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click();
    await expect(page.getByText('No cars in your garage yet')).toBeVisible();

    const other = await context.newPage();
    await other.goto(`${signedIn.url}/garage/add`);
    await other.getByRole('combobox', { name: 'Quick Search' }).fill('corvane');
    await other.getByRole('listbox').getByRole('option').first().click();
    signedIn.answer('POST /api/user-cars', cars[0]);
    signedIn.world.userCars = cars;
    await other.getByRole('button', { name: 'Add to Garage' }).click();
    await expect(page.getByLabel('Car', { exact: true })).toBeEnabled();
    await expect(page.getByText('No cars in your garage yet')).toHaveCount(0);
  },
);
