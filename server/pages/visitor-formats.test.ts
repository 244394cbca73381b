import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { FORMATS_COOKIE } from '#contract/formats/labels.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { loadRenderer } from './render-page.ts';

// On a busy machine a page may come without its data.
const PATIENCE = { timeout: 30_000, interval: 100 };

const app = useTestApp(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'pitboard-web-'));
  const template = '<!doctype html><html><head></head><body><div id="root"></div></body></html>';
  await writeFile(join(webFolder, 'index.html'), template);
  const renderer = await loadRenderer(join(projectFolder, 'web/render.tsx'));
  return { webFolder, ...(renderer && { renderer }) };
});
let webFolder: string;

afterAll(async () => {
  await rm(webFolder, { recursive: true });
});

async function insertDrivenTrack() {
  const trackId = await insertTrack(app.db, { lengthMeters: 5_278 });
  const driver = await insertSignedIn(app.db);
  const sessionDate = '2026-11-24T14:05:00+01:00';
  await insertSession(app.db, { trackId, userId: driver.userId, sessionDate, laps: [{ lapTimeMs: 60_000 }] });
  return { driver, path: `/track/${trackId}` };
}

const cookieOf = (choice: object) => ({
  cookie: `${FORMATS_COOKIE}=${encodeURIComponent(JSON.stringify(choice))}`,
});

const ENGLISH = { length: '5.278 km', date: '11/24/26' };
const GERMAN = { length: '5.278 km', date: '24.11.2026' };

test.each([
  { headers: {}, seen: ENGLISH },
  { headers: { 'accept-language': 'en' }, seen: ENGLISH },
  { headers: { 'accept-language': '*;q=x,,;;<script>' }, seen: ENGLISH },
  { headers: { 'accept-language': 'en-US,en;q=0.9' }, seen: { length: '3.280 mi', date: '11/24/26' } },
  { headers: { 'accept-language': 'en-GB' }, seen: { length: '3.280 mi', date: '24/11/2026' } },
  { headers: { 'accept-language': 'de-DE,de;q=0.9,en-US;q=0.8' }, seen: GERMAN },
  {
    headers: { 'accept-language': 'de', ...cookieOf({ units: 'american', dates: null }) },
    seen: { ...GERMAN, length: '3.280 mi' },
  },
  { headers: { 'accept-language': 'de', ...cookieOf({ units: 'leagues', dates: 1 }) }, seen: GERMAN },
  { headers: { 'accept-language': 'de', cookie: 'formats=%7B%E0%A4%A' }, seen: GERMAN },
])('the page of a guest is written in the forms of $headers', async ({ headers, seen }) => {
  const { path } = await insertDrivenTrack();
  await vi.waitFor(async () => {
    const { body } = await app.asGuest().get(path, headers);
    expect(body).toContain(seen.length.replace(' ', '\u00A0'));
    expect(body).toContain(`>${seen.date}<`);
  }, PATIENCE);
});

test('the choice of a person goes before the language and the cookie of the browser', async () => {
  const { driver, path } = await insertDrivenTrack();
  const client = app.as(driver);
  await client.patch('/api/auth/user/preferences', { units: 'british', dates: 'YYYY-MM-DD HH:mm' });
  await vi.waitFor(async () => {
    const { body } = await client.get(path, { 'accept-language': 'de' });
    expect(body).toContain('3.280\u00A0mi');
    expect(body).toContain('>2026-11-24<');
  }, PATIENCE);
});
