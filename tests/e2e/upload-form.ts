import type { Page } from '@playwright/test';

/** Processes the chosen files and takes the first track that the dialog offers. */
export async function chooseTrack(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Process/ }).click();
  await page
    .getByRole('dialog', { name: 'Select Track' })
    .getByRole('listitem')
    .first()
    .getByRole('button')
    .click();
}

/** Chooses a tyre category by its label. */
export async function chooseTires(page: Page, label: string): Promise<void> {
  await page.getByRole('radio', { name: label }).check();
}

/** Fills in the form of an upload. */
export async function fillDetails(page: Page): Promise<void> {
  await page.getByLabel('Car', { exact: true }).selectOption('Old Faithful');
  await chooseTires(page, 'Full Slick');
  await page.getByLabel('Video Link').fill('https://video.example/lap');
}

/** Finds the status of each chosen file. */
export function statuses(page: Page) {
  return page.getByRole('list', { name: 'Chosen files' }).getByText(/^(Ready|Processing|Done|Error)$/);
}
