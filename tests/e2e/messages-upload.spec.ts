import { expect, type Page } from '@playwright/test';
import { analysis, suggestion } from '#web/testing/analysis.ts';
import { MEADOW } from './stand-in-world.ts';
import type { StandIn } from './stand-in.ts';
import { chooseTires, chooseTrack, fillDetails, statuses } from './upload-form.ts';
import { test } from './test.ts';
import { expectToast, toastOf } from './toasts.ts';

// The words of the upload page, in the order in which a driver may meet them.

const NO_MATCH = "We couldn't confidently match a track. You can still select one manually.";
const ADVICE = 'Contact an administrator to add new tracks.';

test('while it is not known who is here, the upload says that it is checked', async ({ page, standIn }) => {
  const release = standIn.hold('GET /api/auth/user');
  await page.goto(`${standIn.url}/upload`);
  await expect(page.getByText('Checking authentication...', { exact: true })).toBeVisible();
  release();
  await expect(page).toHaveURL(`${standIn.url}/login?returnTo=%2Fupload`);
});

test('the page says what it takes and how it works', async ({ page, signedIn }) => {
  await page.goto(`${signedIn.url}/upload`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upload Lap Data');
  await expect(page.getByRole('heading', { name: 'Supported Formats' })).toBeVisible();
  await expect(page.getByRole('term').filter({ hasText: /^(CSV|GPX)$/ })).toHaveText(['CSV', 'GPX']);
  await expect(page.getByRole('heading', { name: 'How It Works' })).toBeVisible();
  await expect(page.getByRole('complementary').locator('ol > li')).toHaveCount(4);
  const input = page.locator('input[type=file]');
  await expect(input).toHaveAttribute('accept', /^\.csv,.*\.gpx,.*\.xrk,.*\.rcz,.*\.zip,.*\.gz,\.mp4,\.360$/);
  await expect(input).toHaveAttribute('multiple', '');
});

test('files show their status, and processing can be pressed once', async ({ page, signedIn }) => {
  const release = signedIn.hold('POST /api/analyze-gps');
  await openWith(page, signedIn, ['a.csv', 'b.gpx']);
  await expect(statuses(page)).toHaveText(['Ready', 'Ready']);
  await page.getByRole('button', { name: 'Process 2 File(s)' }).click();
  const button = page.getByRole('button', { name: 'Analyzing GPS Data...' });
  await expect(button).toHaveAttribute('disabled', '');
  await expect(statuses(page)).toHaveText(['Processing', 'Ready']);
  release();
  await expect(page.getByRole('dialog', { name: 'Select Track' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Process 2 File(s)' })).toBeFocused();
});

test('without a lap file there is nothing to process', async ({ page, signedIn }) => {
  await openWith(page, signedIn, ['session.docx']);
  await expect(statuses(page)).toHaveText(['Ready']);
  const hint = page.getByText(/^None of these names ends as those of lap files do\./);
  await expect(hint).toBeVisible();
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  await expectToast(page, 'No GPS files found', 'Please upload a .csv or .gpx file with GPS data.');
  expect(signedIn.calls.filter(({ path }) => path === '/api/analyze-gps')).toHaveLength(0);
  await page.locator('input[type=file]').setInputFiles(lapFile('session.xrk'));
  await expect(hint).toBeHidden();
});

test('a file without GPS points is an error in words', async ({ page, signedIn }) => {
  signedIn.answer('POST /api/analyze-gps', analysis({ gpsPointCount: 0 }));
  await openWith(page, signedIn, ['a.csv']);
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  await expectToast(
    page,
    'No GPS data found',
    'Could not extract GPS coordinates from the file. Please check your file format.',
  );
  await expect(statuses(page)).toHaveText(['Error']);
});

test('a failed analysis shows an error, and can be tried again', async ({ page, signedIn }) => {
  signedIn.answer('POST /api/analyze-gps', { error: 'busy', message: 'Too many files at once.' }, 503);
  await openWith(page, signedIn, ['a.csv']);
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  await expectToast(page, 'Analysis failed', 'Too many files at once.');
  await expect(page.getByRole('button', { name: 'Process 1 File(s)' })).toBeEnabled();
});

test('where no track matches, all of them can be chosen', { tag: '@all' }, async ({ page, signedIn }) => {
  signedIn.answer('POST /api/analyze-gps', analysis());
  await openWith(page, signedIn, ['a.csv']);
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Track' });
  // The toast is an item of another list in the dialog.
  const tracks = dialog.getByRole('list').first().getByRole('listitem');
  await expect(tracks).toHaveCount(3);
  await expect(dialog.getByText(/% Match/)).toHaveCount(0);
  const toast = toastOf(page, 'No matching tracks');
  await expect(toast.getByText(NO_MATCH, { exact: true })).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'A new track' })).toBeFocused();
  await expect(dialog.getByText('No track found', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Search all tracks' }).click();
  await expect(tracks).toHaveCount(7);
  await dialog.getByLabel('Search tracks').fill('no such place');
  await expect(dialog.getByText('No tracks found', { exact: true })).toBeVisible();
  await expect(dialog.getByText(ADVICE, { exact: true })).toBeVisible();
});

test('without any track the dialog says whom to ask, and while they load that they do', async ({
  page,
  signedIn,
}) => {
  signedIn.answer('POST /api/analyze-gps', analysis());
  signedIn.answer('GET /api/tracks', []);
  const release = signedIn.hold('GET /api/tracks');
  await openWith(page, signedIn, ['a.csv']);
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Track' });
  await expect(dialog.getByText('Loading tracks...', { exact: true })).toBeVisible();
  release();
  await expect(dialog.getByText('No tracks found', { exact: true })).toBeVisible();
});

test('a lap summary appears only where there are laps and a best time', async ({ page, signedIn }) => {
  for (const counts of [{ lapCount: 0 }, { lapCount: 3 }, { bestLapTimeMs: 98_417 }]) {
    const analysed = analysis({ gpsSuggestions: [suggestion(MEADOW, 80, counts)], ...counts });
    const why = counts.lapCount ? '3 laps, none of them counts.' : 'No complete laps found on Meadow Ring.';
    signedIn.answer('POST /api/analyze-gps', analysed);
    await openWith(page, signedIn, ['a.csv']);
    await chooseTrack(page);
    await expect(page.getByText('Lap Details')).toBeVisible();
    await expect(page.getByText('Lap Summary')).toHaveCount(0);
    await expect(page.getByText(why)).toBeVisible();
  }
});

test('a submit is checked in the specified order, and the field in question takes the focus', async ({
  page,
  signedIn,
}) => {
  await openWith(page, signedIn, ['a.csv']);
  await chooseTrack(page);
  const submit = page.getByRole('button', { name: 'Upload Lap Data' });
  await page.getByRole('button', { name: 'Remove a.csv' }).click();
  await submit.click();
  await expectToast(page, 'No files selected', 'Please select at least one file to upload.');
  await page.locator('input[type=file]').setInputFiles(lapFile('b.csv'));
  // Without a track there is no form to submit.
  await expect(submit).toHaveCount(0);
  await chooseTrack(page);

  await submit.click();
  await expectToast(page, 'No car selected', 'Please select a car from your garage.');
  await expect(page.getByLabel('Car', { exact: true })).toBeFocused();
  await page.getByLabel('Car', { exact: true }).selectOption('Old Faithful');
  await submit.click();
  await expectToast(page, 'No tire category selected', 'Please select a tire category.');
  await expect(page.getByRole('radio', { name: 'Street 300+ TW' })).toBeFocused();
  await chooseTires(page, 'R-Comp DOT Slick');
  for (const blank of ['', '   ']) {
    await page.getByLabel('Video Link').fill(blank);
    await submit.click();
    await expectToast(page, 'No video link provided', 'Please provide a video link for this lap.');
  }
  await expect(page.getByLabel('Video Link')).toBeFocused();
  await expect(page.getByLabel('Video Link')).toHaveAttribute('type', 'url');
  expect(signedIn.calls.filter(({ path }) => path === '/api/upload')).toHaveLength(0);
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(1);
});

test('an empty garage leads to where a car is added, and back to the waiting files', async ({
  page,
  signedIn,
}) => {
  signedIn.world.userCars = [];
  await openWith(page, signedIn, ['a.csv']);
  await chooseTrack(page);
  await expect(page.getByText('No cars in your garage yet', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Add a car' }).click();
  await expect(page).toHaveURL(`${signedIn.url}/garage/add`);
  await page.getByPlaceholder('Search cars...').fill('swift');
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await expect(page).toHaveURL(`${signedIn.url}/upload`);
  await expect(page.getByText('a.csv').first()).toBeVisible();
  await expect(page.getByLabel('Car', { exact: true }).locator('option')).toHaveCount(2);
});

test('a car that has left the garage is no longer chosen in a form that waits', async ({
  page,
  signedIn,
}) => {
  await openWith(page, signedIn, ['a.csv']);
  await chooseTrack(page);
  await fillDetails(page);
  await page.getByRole('link', { name: 'Leaderboards' }).first().click();
  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  signedIn.answer('DELETE /api/user-cars/car-1', { removed: true });
  signedIn.world.userCars = signedIn.world.userCars.filter(({ id }) => id !== 'car-1');
  await page.getByRole('button', { name: 'Remove Car' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Car' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);

  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await expect(page.getByLabel('Car', { exact: true })).toHaveValue('');
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
  await expectToast(page, 'No car selected', 'Please select a car from your garage.');
});

test('the button says that it uploads, and then how many files went through', async ({ page, signedIn }) => {
  const release = signedIn.hold('POST /api/upload');
  signedIn.answer('POST /api/upload', {
    results: [
      { file: 'a.csv', success: true },
      { file: 'b.csv', success: false, error: 'No laps in it.' },
    ],
    best: null,
  });
  await openWith(page, signedIn, ['a.csv', 'b.csv']);
  await chooseTrack(page);
  await fillDetails(page);
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeVisible();
  await expect(statuses(page)).toHaveText(['Processing', 'Processing']);
  release();
  await expectToast(page, 'Upload successful!', '1 file(s) processed successfully. 1 file(s) failed.');
  await expect(page.getByRole('main').getByText('Done', { exact: true })).toBeVisible();
  await expect(page.getByText('No laps in it.')).toBeVisible();
  await expect(page.getByText('Lap Details')).toHaveCount(0);
});

test('where every file fails, everything stays for another try', async ({ page, signedIn }) => {
  signedIn.answer('POST /api/upload', {
    results: [{ file: 'a.csv', success: false, error: 'No laps in it.' }],
    best: null,
  });
  await openWith(page, signedIn, ['a.csv']);
  await chooseTrack(page);
  await fillDetails(page);
  await page.getByLabel('Video Link').press('Enter');
  await expectToast(
    page,
    'Upload failed',
    'All files failed to process. Please check your files and try again.',
  );
  await expect(toastOf(page, 'Upload failed')).toHaveAttribute('data-type', 'error');
  await expect(statuses(page)).toHaveText(['Error']);
  await expect(page.getByText('No laps in it.')).toBeVisible();
  await expect(page.getByLabel('Video Link')).toBeFocused();
  await expect(page.getByLabel('Video Link')).toHaveValue('https://video.example/lap');
});

test('a failed upload gives the error of the server, or that it failed', async ({ page, signedIn }) => {
  await openWith(page, signedIn, ['a.csv']);
  await chooseTrack(page);
  await fillDetails(page);
  const submit = page.getByRole('button', { name: 'Upload Lap Data' });
  signedIn.answer('POST /api/upload', { error: 'The store is full.' }, 507);
  await submit.click();
  await expectToast(page, 'Upload failed', 'The store is full.');
  signedIn.answer('POST /api/upload', 'Bad gateway', 502);
  await submit.click();
  await expect(toastOf(page, 'Upload failed').getByText('Upload failed', { exact: true })).toHaveCount(2);
});

test('while the server cannot keep files, it says what to do, and the files wait for it', async ({
  page,
  signedIn,
}) => {
  await openWith(page, signedIn, ['a.csv', 'b.csv']);
  await chooseTrack(page);
  await fillDetails(page);
  const submit = page.getByRole('button', { name: 'Upload Lap Data' });
  const sentence = 'Files cannot be kept or read just now. Please try again in a minute.';
  signedIn.answer('POST /api/upload', { error: sentence, message: sentence }, 503);
  await submit.click();
  await expectToast(page, 'Upload failed', sentence);
  await expect(statuses(page)).toHaveText(['Error', 'Error']);
  await expect(page.getByRole('list', { name: 'Chosen files' }).getByText(sentence)).toHaveCount(2);
  await expect(page.getByLabel('Video Link')).toHaveValue('https://video.example/lap');
  signedIn.answer('POST /api/upload', {
    results: [
      { file: 'a.csv', success: true },
      { file: 'b.csv', success: true },
    ],
    best: null,
  });
  await submit.click();
  await expectToast(page, 'Upload successful!', '2 file(s) processed successfully.');
});

test('a browser without space for the files says that a closed tab loses them, and uploads them all the same', async ({
  page,
  signedIn,
}) => {
  page.on('dialog', (dialog) => void dialog.accept());
  const browser = await page.context().newCDPSession(page);
  await browser.send('Storage.overrideQuotaForOrigin', { origin: signedIn.url, quotaSize: 1_000_000 });
  const hint = page.getByText(
    'Your browser could not store these files: you can upload them now, but if you close this tab, you have to choose them again.',
    { exact: true },
  );
  const large = { ...lapFile('large.csv'), buffer: Buffer.alloc(2_000_000, 'x') };
  await openWith(page, signedIn, ['a.csv']);
  await page.locator('input[type=file]').setInputFiles(large);
  await expect(hint).toBeVisible();
  await page.getByRole('button', { name: 'Remove large.csv' }).click();
  await expect(hint).toBeHidden();
  await page.reload();
  await expect(statuses(page)).toHaveText(['Ready']);
  await page.locator('input[type=file]').setInputFiles(large);
  await expect(hint).toBeVisible();

  await chooseTrack(page);
  await fillDetails(page);
  signedIn.answer('POST /api/upload', {
    results: [
      { file: 'a.csv', success: true },
      { file: 'large.csv', success: true },
    ],
    best: null,
  });
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
  await expectToast(page, 'Upload successful!', '2 file(s) processed successfully.');
  await expect(hint).toBeHidden();
});

async function openWith(page: Page, { url }: StandIn, names: readonly string[]): Promise<void> {
  await page.goto(`${url}/upload`);
  await page.locator('input[type=file]').setInputFiles(names.map(lapFile));
}

function lapFile(name: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(`the lap file ${name}`) };
}
