import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { kartLineAcross } from '#engine/testing/kart-track.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { trackProposals } from '#server/model/tracks/schema.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { listDueTracks, markRetimedUpTo } from '#server/model/tracks/track-correction-store.ts';

const app = useTestApp();
let moderator: SignedIn;
let driver: SignedIn;

beforeAll(async () => {
  moderator = await insertSignedIn(app.db, { role: 'moderator' });
  driver = await insertSignedIn(app.db);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const moderate = (method: Method, path: string, payload?: object) =>
  app.as(moderator).send(method, `/api/admin/${path}`, payload);

async function insertProposal(name: string): Promise<TrackId> {
  const id = await insertKartTrack(app.db, { name, configuration: null, status: 'community_submitted' });
  await app.db.insert(trackProposals).values({ trackId: id, userId: driver.userId });
  return id;
}

async function upload(trackId: string, who: SignedIn): Promise<void> {
  const response = await app.as(who).uploadLaps(trackId, kartCsv());
  expect(response.json().results).toMatchObject([{ success: true, lapCount: 3 }]);
}

test('moderators approve, correct, merge and remove proposals, of which the driver gets notices with links', async () => {
  const [approved, corrected, from, into, removed] = [
    await insertProposal('Notice One'),
    await insertProposal('Notice Two'),
    await insertProposal('Notice Three'),
    await insertProposal('Notice Four'),
    await insertProposal('Notice Five'),
  ];
  await upload(removed, driver);
  const decide = async (method: Method, path: string, payload?: object) => {
    const { statusCode, body } = await moderate(method, path, payload);
    expect(statusCode, body).toBe(200);
  };
  const seen = await moderate('GET', 'track-proposals');
  expect(seen.json().total).toBe(5);
  await decide('POST', `tracks/${approved}/approve`);
  await decide('PATCH', `tracks/${corrected}`, { name: 'Notice Two B' });
  await decide('POST', `tracks/${from}/merge`, { intoTrackId: into });
  await decide('DELETE', `tracks/${removed}?laps=remove`);
  await app.runJobs();

  const { notices } = (await app.as(driver).get('/api/notices')).json();
  const listed = notices.map(({ text, link }: { text: string; link: string }) => [text, link]);
  for (const notice of [
    ['Your proposal was approved: Notice One is official now.', `/track/${approved}`],
    ['A moderator corrected Notice Two B, which you proposed.', `/track/${corrected}`],
    ['Notice Three is Notice Four now, and your laps have moved there.', `/track/${into}`],
    [
      'Notice Five, which you proposed, was removed, with your laps on it. You can upload their files to another track.',
      '/upload',
    ],
  ])
    expect(listed).toContainEqual(notice);
  expect((await app.as(moderator).get('/api/notices')).json().notices).toEqual([]);
  for (const id of [corrected, into]) await moderate('DELETE', `tracks/${id}`);
});

test('moderators decide on no official track', async () => {
  const official = await insertKartTrack(app.db, { name: 'Official Ring', configuration: null });
  for (const [method, path, payload] of [
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['POST', '/merge', { intoTrackId: await insertProposal('Near Ring') }],
  ] as const) {
    const refused = await moderate(method, `tracks/${official}${path}`, payload);
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'not_allowed']);
  }
  expect((await app.as(moderator).get(`/api/tracks/${official}`)).json()).toMatchObject({
    name: 'Official Ring',
  });
});

test('laps that are timed again are counted while that goes on', async () => {
  const id = await insertProposal('Counted Ring');
  await upload(id, driver);
  await upload(id, await insertSignedIn(app.db));
  const list = async () => (await moderate('GET', 'retimings')).json().retimings;
  expect(await list()).toEqual([]);
  await moderate('PATCH', `tracks/${id}`, { startFinishLine: kartLineAcross(-12, 12), sectors: [] });
  const before = { id, name: 'Counted Ring', configuration: null, lapsDone: 0, lapsTotal: 6 };
  expect(await list()).toEqual([before]);
  const [first] = await listDueTracks(app.db, id);
  const [session] = await app.db.select().from(sessions).where(eq(sessions.trackId, id)).orderBy(sessions.id);
  if (!first || !session) throw new Error('Nothing is due.');
  await markRetimedUpTo(app.db, first, session.id);
  expect(await list()).toEqual([{ ...before, lapsDone: 3 }]);
  await app.runJobs();
  expect(await list()).toEqual([]);
  await moderate('DELETE', `tracks/${id}?laps=remove`);
});
