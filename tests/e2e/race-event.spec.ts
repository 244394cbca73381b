import { createPublicKey, verify } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { canonicalJson } from '#contract/canonical-json.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

// These stories run events: from the draft to official results that anybody can verify.

const server = shareServer();

const SPA = 'circuit-de-spa-francorchamps-grand-prix';

const TODAY = new Date().toISOString().slice(0, 10);

const signedSchema = z.looseObject({
  signature: z.object({ algorithm: z.literal('Ed25519'), publicKey: z.string(), value: z.string() }),
});

test('an event goes from its draft over entries and runs to official results that anybody can verify', async ({
  browser,
  page: guest,
}) => {
  const { url } = server();
  const owner = await openAs(browser, url, 'Mara Lindqvist');
  const driver = await openAs(browser, url, 'Theo Okafor');
  await addCar(driver, url, 'mazda-mx-5-nb-1-8');

  await createDraft(owner, url, { name: 'Autumn Sprint' });
  const address = owner.url();
  await expect(owner.getByText('Draft', { exact: true })).toBeVisible();
  await guest.goto(address);
  await expect(guest.getByRole('heading', { name: 'Event not found' })).toBeVisible();

  await step(owner, 'Open Entries');
  await expect(owner.getByText('Open for entries', { exact: true })).toBeVisible();
  await driver.goto(`${url}/events`);
  await driver.getByRole('link', { name: 'Autumn Sprint' }).click();
  await driver.getByRole('button', { name: 'Enter', exact: true }).click();
  const entering = driver.getByRole('dialog', { name: 'Enter' });
  await expect(entering.getByLabel('Car', { exact: true })).toContainText('Mazda');
  await entering.getByLabel('Number').fill('12');
  await entering.getByRole('button', { name: 'Enter' }).click();
  await expect(driver.getByText('You are entered with number 12 in All.')).toBeVisible();
  await addEntry(owner, { driver: 'Ada Brook', car: 'Opel Corsa', number: '7' });

  await step(owner, 'Start Event');
  await driver.reload();
  await expect(driver.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);
  await typeRuns(owner);

  const rows = guest.getByRole('table', { name: 'Results of class All' }).locator('tbody tr');
  await guest.goto(address);
  await expect(rows).toHaveText([/^17Ada Brook.*1:05\.000/, /^212Theo Okafor.*1:06\.123.*\+1\.123/]);
  await expectAccessibleEverywhere(guest);
  await guest.getByRole('button', { name: /^Run 1: 1:04\.123 \+2 s/ }).click();
  const run = guest.getByRole('dialog', { name: 'Run 1 of Theo Okafor' });
  await expect(run).toContainText('+2 s: 1 cone');
  await expect(run).toContainText('Hit the last cone.');
  await expect(run).toContainText('Mara Lindqvist');
  await expectAccessibleEverywhere(guest);
  await run.getByRole('button', { name: 'Close' }).click();

  await step(owner, 'Publish Results');
  await expect(owner.getByText('Official', { exact: true })).toBeVisible();
  await expect(owner.getByRole('button', { name: 'Add runs' })).toHaveCount(0);
  await guest.reload();
  const href = await guest.getByRole('link', { name: 'Signed results' }).getAttribute('href');
  const answer = signedSchema.parse(await (await guest.request.get(`${url}${href}`)).json());
  expect(isGenuine(answer)).toBe(true);
  expect(isGenuine({ ...answer, entries: [] })).toBe(false);
  const csv = await guest.request.get(
    `${url}${await guest.getByRole('link', { name: 'CSV' }).getAttribute('href')}`,
  );
  expect(await csv.text()).toContain('Theo Okafor');
});

test(
  'laps of lap files are runs with their ±, which open; a penalty changes which one counts',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = server();
    const driver = await openAs(browser, url, 'Theo Okafor');
    const userCarId = await addCar(driver, url, 'mazda-mx-5-nb-1-8');
    const session = { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 60 };
    const best = await uploadLaps(driver, url, session);
    const board = await driver.request.get(`${url}/api/laps/track/${SPA}/best`);
    const [record]: { sessionDate: string }[] = await board.json();

    const owner = await openAs(browser, url, 'Mara Lindqvist');
    await createDraft(owner, url, { name: 'Track Day', day: record?.sessionDate.slice(0, 10) ?? '' });
    await step(owner, 'Open Entries');
    await driver.goto(owner.url());
    await driver.getByRole('button', { name: 'Enter', exact: true }).click();
    await driver.getByRole('dialog').getByLabel('Number').fill('12');
    await driver.getByRole('dialog').getByRole('button', { name: 'Enter' }).click();
    await step(owner, 'Start Event');
    await driver.reload();
    const total = driver.getByRole('table', { name: 'Results of class All' }).locator('time').first();
    await expect(total).toHaveText(formatLapTime(best));
    const counted = driver.getByRole('button', { name: /, counts$/ });
    await expect(counted).toContainText(/±0\.\d{3}/);

    await owner.reload();
    await owner.getByRole('button', { name: /, counts$/ }).click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByLabel('Cones').fill('99');
    await dialog.getByLabel('Reason').fill('Left the course.');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(owner.getByRole('button', { name: /\+198 s/ })).toBeVisible();
    await driver.reload();
    await expect(total).not.toHaveText(formatLapTime(best));
    await counted.click();
    await driver.getByRole('link', { name: 'A lap of a lap file' }).click();
    await expect(driver).toHaveURL(/\/track\/.*\?lap=/);
  },
);

test(
  'the dialogs of an event are accessible, and say what is wrong',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = server();
    const owner = await openAs(browser, url, 'Mara Lindqvist');
    await owner.goto(`${url}/club/events`);
    await expectAccessibleEverywhere(owner);
    await owner.getByRole('button', { name: 'New event' }).click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create Draft' }).click();
    await expect(dialog.getByText('Add a course.')).toBeVisible();
    await expectAccessibleEverywhere(owner);
    await createDraft(owner, url, { name: 'Winter Sprint' });
    await expectAccessibleEverywhere(owner);
    await owner.getByRole('button', { name: 'Edit', exact: true }).click();
    await expectDialogAccessible(owner);
    await step(owner, 'Open Entries');
    await owner.reload();
    await owner.route('**/api/user-cars', (route) => route.abort());
    await owner.getByRole('button', { name: 'Enter', exact: true }).click();
    await expect(dialog.getByText('The cars of your garage could not be loaded.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Enter' }).click();
    await expect(dialog.getByText('Your car can be chosen once your garage is loaded.')).toBeVisible();
    await owner.unroute('**/api/user-cars');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(dialog.getByLabel('Car', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Enter' }).click();
    await expect(dialog.getByText('Type the number of the car.')).toBeVisible();
    await expectDialogAccessible(owner);
    await addEntry(owner, { driver: 'Ada Brook', car: 'Opel Corsa', number: '7' });
    await owner.getByRole('button', { name: 'Change entry 7' }).click();
    await expectDialogAccessible(owner);
    await owner.getByRole('button', { name: 'Start Event' }).click();
    await expectDialogAccessible(owner);
    await step(owner, 'Start Event');
    await owner.getByRole('button', { name: 'Add runs' }).click();
    await dialog.getByRole('button', { name: 'Add Run' }).click();
    await expect(dialog.getByText('No entry has this number.')).toBeVisible();
    await expectDialogAccessible(owner);
    await owner.goto(`${url}/events`);
    await expect(owner.getByRole('link', { name: 'Winter Sprint' })).toBeVisible();
    await expectAccessibleEverywhere(owner);
    await owner.goto(`${url}/track/${SPA}`);
    await expect(owner.getByRole('list', { name: 'Events on this track' })).toContainText('Winter Sprint');
    await expectAccessibleEverywhere(owner);
  },
);

test(
  'the pages of events are accessible while they load, and after their call has failed',
  { tag: '@all' },
  async ({ page, standIn }) => {
    for (const [path, call, waiting, failed] of [
      ['/events', 'GET /api/events', 'Loading events...', 'The events could not be loaded.'],
      ['/event/sprint', 'GET /api/events/sprint', 'Loading event...', 'The event could not be loaded.'],
    ] as const) {
      const release = standIn.hold(call);
      standIn.answer(call, 'The events are away.', 500);
      await page.goto(standIn.url + path);
      await expect(page.getByText(waiting, { exact: true })).toBeVisible();
      await expectAccessibleEverywhere(page);
      release();
      await expect(page.getByText(failed)).toBeVisible();
      await expectAccessibleEverywhere(page);
    }
  },
);

async function expectDialogAccessible(page: Page): Promise<void> {
  await expectAccessibleEverywhere(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Checks the signature of results as docs/guides/run-an-event.md describes it. */
function isGenuine({ signature: { value, ...head }, ...results }: z.infer<typeof signedSchema>): boolean {
  const key = createPublicKey({ key: Buffer.from(head.publicKey, 'base64'), format: 'der', type: 'spki' });
  const signed = Buffer.from(canonicalJson({ ...results, signature: head }));
  return verify(null, signed, key, Buffer.from(value, 'base64'));
}

type NewEvent = { name: string; day?: string };

/** Creates an event of one day at Spa, for typed runs and laps and without a protest time, and opens its page. */
async function createDraft(page: Page, url: string, { name, day = TODAY }: NewEvent): Promise<void> {
  await page.goto(`${url}/club/events`);
  await page.getByRole('button', { name: 'New event' }).click();
  const form = page.getByRole('dialog', { name: 'New Event' });
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByLabel('First day').fill(day);
  const search = form.getByRole('combobox', { name: 'Add a course' });
  await search.fill('spa-francorchamps');
  await form.getByRole('listbox').getByRole('option').first().click();
  await form.getByLabel('Protest time, in minutes').fill('0');
  await form.getByLabel('Take laps of lap files').check();
  await form.getByRole('button', { name: 'Create Draft' }).click();
  await page.waitForURL(/\/event\//);
}

async function step(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

type TypedEntry = { driver: string; car: string; number: string };

async function addEntry(page: Page, { driver, car, number }: TypedEntry): Promise<void> {
  await page.getByRole('button', { name: 'Add entry' }).click();
  const form = page.getByRole('dialog', { name: 'Add Entry' });
  await form.getByLabel('Driver').fill(driver);
  await form.getByLabel('Car').fill(car);
  await form.getByLabel('Number').fill(number);
  await form.getByRole('button', { name: 'Add Entry' }).click();
  await expect(page.getByRole('table', { name: 'Entries' })).toContainText(driver);
}

/** Types one run of each entry by the keyboard alone; the penalty needs a reason. */
async function typeRuns(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add runs' }).click();
  const form = page.getByRole('dialog', { name: 'Add Runs' });
  const type = async (fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
    await page.keyboard.press('Enter');
  };
  await type({ Number: '7', Time: '65' });
  await expect(form.getByText('Added: 7 Ada Brook, 1:05.000.')).toBeVisible();
  await expect(form.getByLabel('Number')).toBeFocused();
  await type({ Number: '12', Time: '1:04.123', Cones: '1' });
  await expect(form.getByText('Say why.')).toBeVisible();
  await type({ Reason: 'Hit the last cone.' });
  await expect(form.getByText('Added: 12 Theo Okafor, 1:04.123 +2 s.')).toBeVisible();
  await form.getByRole('button', { name: 'Done' }).click();
}
