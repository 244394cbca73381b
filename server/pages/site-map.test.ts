import { expect, test } from 'vitest';
import { raceEvents } from '#server/model/race-events/schema.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

const SPRINT = {
  description: '',
  firstDay: '2026-06-06',
  lastDay: '2026-06-06',
  firstRuns: null,
  countedRuns: 1,
  conePenaltyMs: 0,
  gatePenaltyMs: 0,
  tieRule: 'shared',
  takesLaps: false,
  protestMinutes: 0,
} as const;

async function insertEvent(state: 'draft' | 'open'): Promise<string> {
  const event = { ...SPRINT, name: state, state };
  const [row] = await app.db.insert(raceEvents).values(event).returning({ id: raceEvents.id });
  return `/event/${row?.id}</loc>`;
}

test('search engines find events, and no draft', async () => {
  const [draft, open] = [await insertEvent('draft'), await insertEvent('open')];
  const { body } = await app.asGuest().get('/sitemap.xml');
  expect(body).toContain('/events</loc>');
  expect(body).toContain(open);
  expect(body).not.toContain(draft);
});
