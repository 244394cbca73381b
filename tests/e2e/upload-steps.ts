import { expect, type Page } from '@playwright/test';
import { chooseTires } from './upload-form.ts';

// Drivers press these on their way from an empty garage to a lap on a board.

/** Adds a car on the page of the library, which must be open. */
export async function chooseCar(page: Page): Promise<void> {
  await page.getByText('Browse by Make and Model').click();
  await page.getByLabel('Make').selectOption('Mazda');
  await page.getByLabel('Model').selectOption('MX-5');
  await page.getByLabel('Variant').selectOption('1.8');
  await page.getByLabel('Generation').selectOption('NB');
  await expect(page.getByText('Mazda MX-5 1.8 (NB)').first()).toBeVisible();
  await page.getByRole('button', { name: 'Add to Garage' }).click();
  await expect(page.getByText('Your car has been added to your garage.')).toBeVisible();
}

/** Takes the track that the lap file fits. */
export async function chooseSuggestion(page: Page, trackName: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Select Track' });
  await expect(dialog.getByText('GPS Detected Matches')).toBeVisible();
  await expect(dialog.getByText(/% Match/).first()).toBeVisible();
  await dialog.getByRole('button', { name: trackName }).first().click();
}

/** Fills in what belongs to the laps, and uploads them. */
export async function submitLaps(page: Page, video: string): Promise<void> {
  await page.getByLabel('Car', { exact: true }).selectOption({ index: 1 });
  await chooseTires(page, 'Track Street 200 TW');
  await page.getByLabel('Video Link').fill(video);
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
}
