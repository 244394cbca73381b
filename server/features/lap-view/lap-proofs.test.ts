import { generateKeyPairSync, sign } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '#contract/canonical-json.ts';
import { type CurrentProofBundle, lapProofEndpoints } from '#contract/lap-view/proof.ts';
import { openDocumentSigner } from '#server/kernel/sign-document.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { insertKartUpload, type KartUpload } from '#server/testing/kart-upload.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { verifyBundle } from '../../../scripts/verify.ts';

const app = useTestApp();
const guest = app.asGuest();
let upload: KartUpload;
let bundle: CurrentProofBundle;

beforeAll(async () => {
  upload = await insertKartUpload(app, await insertKartTrack(app.db));
  bundle = lapProofEndpoints.proof.response.parse((await guest.get(`${upload.url}/proof`)).json());
});

const status = async (url: string, who: Person = null) => (await app.as(who).get(url)).statusCode;

async function changeLap({ trackId, userId, lap }: KartUpload, change: Partial<typeof laps.$inferInsert>) {
  await app.db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [userId] }, () =>
      tx.update(laps).set(change).where(eq(laps.id, lap.id)),
    ),
  );
}

test('a guest gets the proof of every public lap, which gives its milliseconds and is signed with the published key', async () => {
  const { publicKey } = (await guest.get('/api/proof-key')).json();
  const rows = await app.db.select().from(laps).where(eq(laps.sessionId, upload.sessionId));
  const ranking = rows.filter(({ status }) => status === 'valid');
  expect(ranking).toHaveLength(3);
  for (const { id, lapTimeMs, uncertaintyMs, sectorTimesMs } of ranking) {
    const answer = (await guest.get(`/api/tracks/${upload.trackId}/laps/${id}/proof`)).json();
    const { checked, problems } = verifyBundle(answer, {
      key: publicKey,
      lapFile: Buffer.from(upload.content),
    });
    expect(problems).toEqual([]);
    expect(checked).toMatchObject({ lapTimeMs, uncertaintyMs, sectorTimesMs });
    expect(answer).toMatchObject({ lapId: id, trackId: upload.trackId, result: { lapTimeMs } });
  }
});

test('a proof shows no more than half a second and a fix before and after the lap', () => {
  const { timesMs } = bundle.measurement;
  const startMs = upload.lap.startedAt.getTime();
  const endMs = startMs + upload.lap.lapTimeMs;
  const outside = timesMs.filter((timeMs) => timeMs < startMs - 1 || timeMs > endMs + 1);
  // At 10 Hz.
  expect(outside.length).toBeLessThanOrEqual(14);
  for (const timeMs of outside) expect(Math.max(startMs - timeMs, timeMs - endMs)).toBeLessThan(750);
});

test('a client that has a proof gets it once', async () => {
  const { etag } = (await guest.get(`${upload.url}/proof`)).headers;
  expect((await guest.get(`${upload.url}/proof`, { 'if-none-match': String(etag) })).statusCode).toBe(304);
});

test('private lines, laps that do not rank and laps that are not there give no proof', async () => {
  const { db } = app.database;
  const other = await insertSignedIn(db);
  const hidden = await insertKartUpload(app, await insertKartTrack(db));
  await db.update(sessions).set({ linesPrivate: true }).where(eq(sessions.id, hidden.sessionId));
  expect(await status(`${hidden.url}/proof`)).toBe(403);
  expect(await status(`${hidden.url}/proof`, other)).toBe(403);
  expect(await status(`${hidden.url}/proof`, hidden)).toBe(200);
  await db.update(sessions).set({ linesPrivate: false }).where(eq(sessions.id, hidden.sessionId));
  await changeLap(hidden, { status: 'rejected' });
  expect(await status(`${hidden.url}/proof`, other)).toBe(404);
  expect(await status(`${hidden.url}/proof`, hidden)).toBe(200);
  expect(await status(`/api/tracks/${upload.trackId}/laps/nonsense/proof`)).toBe(400);
  expect(await status(`${hidden.url.replace(hidden.lap.id, upload.lap.id)}/proof`)).toBe(404);
});

test('a lap that its file no longer gives is not signed', async () => {
  const { db } = app.database;
  const changed = await insertKartUpload(app, await insertKartTrack(db));
  await db
    .update(laps)
    .set({ lapTimeMs: changed.lap.lapTimeMs - 1 })
    .where(eq(laps.id, changed.lap.id));
  const answer = await guest.get(`${changed.url}/proof`);
  expect([answer.statusCode, answer.json().error]).toEqual([409, 'conflict']);
  await changeLap(changed, { lapTimeMs: changed.lap.lapTimeMs, reasons: ['timed_by_logger'] });
  expect((await guest.get(`${changed.url}/proof`)).json().message).toContain('by its logger');
});

test('the same secret gives the same key, another one another', () => {
  expect(openDocumentSigner('one').publicKey).toBe(openDocumentSigner('one').publicKey);
  expect(openDocumentSigner('one').publicKey).not.toBe(openDocumentSigner('two').publicKey);
});

type Path = (string | number)[];

/** The way to every value in a bundle that is no object and no list. */
function listLeaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, part]) => listLeaves(part, [...path, name]));
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + Math.max(1, Math.abs(value)) * 2 ** -40;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  return 1;
}

function withChange(value: unknown, [name, ...rest]: Path, change: (leaf: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((part, index) => (String(index) === name ? withChange(part, rest, change) : part));
  const parts = Object.entries(Object(value)).map(([key, part]) => [
    key,
    key === name ? withChange(part, rest, change) : part,
  ]);
  return Object.fromEntries(parts);
}

function holds(json: unknown): boolean {
  try {
    return verifyBundle(json).problems.length === 0;
  } catch {
    return false;
  }
}

test('a bundle that is changed in any single field fails', () => {
  expect(holds(JSON.parse(JSON.stringify(bundle)))).toBe(true);
  const leaves = listLeaves(bundle);
  expect(leaves.length).toBeGreaterThan(1000);
  for (const path of leaves) expect(holds(withChange(bundle, path, changed)), path.join('.')).toBe(false);
});

test('a bundle with a field more or less, or with the signature of another lap, fails', async () => {
  expect(holds({ ...bundle, note: 'mine' })).toBe(false);
  const { startLine } = bundle.measurement;
  const a = { ...startLine.a, height: 3 };
  expect(holds({ ...bundle, measurement: { ...bundle.measurement, startLine: { ...startLine, a } } })).toBe(
    false,
  );
  const rows = await app.db.select().from(laps).where(eq(laps.sessionId, upload.sessionId));
  const other = rows.find(({ id, status }) => status === 'valid' && id !== upload.lap.id);
  const otherBundle = (await guest.get(`/api/tracks/${upload.trackId}/laps/${other?.id}/proof`)).json();
  expect(holds(otherBundle)).toBe(true);
  expect(holds({ ...bundle, signature: otherBundle.signature })).toBe(false);
  for (const name of Object.keys(bundle))
    expect(holds(Object.fromEntries(Object.entries(bundle).filter(([key]) => key !== name)))).toBe(false);
});

test('somebody else can sign what does not fit its fixes, but not with the key of this server', () => {
  const { signature, ...rest } = bundle;
  const result = { ...rest.result, lapTimeMs: rest.result.lapTimeMs - 1000 };
  const forged = openDocumentSigner('not the secret of this server').sign({ ...rest, result });
  expect(verifyBundle(forged).problems).toHaveLength(1);
  const genuineTimes = openDocumentSigner('not the secret of this server').sign(rest);
  expect(verifyBundle(genuineTimes).problems).toEqual([]);
  expect(verifyBundle(genuineTimes, { key: signature.publicKey }).problems).toHaveLength(1);
});

test('a proof names the driver by an id, because names alone may be alike', async () => {
  expect(bundle).toMatchObject({ kind: 'pitboard-lap-proof-2', driverId: upload.userId });
  const other = await insertSignedIn(app.db);
  expect(holds({ ...bundle, driverId: other.userId })).toBe(false);
});

test('a proof of the first version, which has no id, still holds', () => {
  const { signature: _signature, driverId: _driverId, ...rest } = bundle;
  const first = { ...rest, kind: 'pitboard-lap-proof-1' };
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const head = { algorithm: 'Ed25519', publicKey: key };
  const signed = Buffer.from(canonicalJson({ ...first, signature: head }));
  const old = { ...first, signature: { ...head, value: sign(null, signed, privateKey).toString('base64') } };
  expect(verifyBundle(old, { key }).problems).toEqual([]);
  expect(holds({ ...old, userName: 'Somebody Else' })).toBe(false);
  // An id that the first version does not have is no part of it.
  expect(holds({ ...old, driverId: upload.userId })).toBe(false);
});
