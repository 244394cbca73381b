import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { buildRefusal } from '#server/model/laps/timing/report-file.ts';
import { sweepRefusedFiles } from '#server/model/refused-files/refused-files.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { kartCsv } from '#server/testing/kart-uploads.ts';
import { leave } from '#server/testing/leave.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import type { TestFile } from '#server/testing/form.ts';
import { listKeys } from '#server/testing/test-storage.ts';
import { unzip } from '#server/testing/unzip.ts';

const app = useTestApp();

let files = 0;
const newFile = (): TestFile => ({ name: 'log.bin', content: `unreadable ${++files}` });

const send = (who: SignedIn, file = newFile()) =>
  app.as(who).postForm('/api/refused-files', [['file', file]]);
const list = async (owner: SignedIn) => (await app.as(owner).get('/api/admin/refused-files')).json().files;
const listObjects = () => listKeys(app.storage, 'refused-files');
const newOwner = () => insertSignedIn(app.db, { role: 'owner' });

test('a driver sends a refused file, and owners get a notice, download it with the report and delete it', async () => {
  const owner = await newOwner();
  const driver = await insertSignedIn(app.db, { displayName: 'Dora Driver' });
  const file = { name: '../ride, day 1.csv', content: 'a,b\n1,2\n' };
  const sent = await send(driver, file);
  expect(sent.statusCode, sent.body).toBe(200);
  expect(sent.json()).toEqual({ sent: true });
  const [listed] = await list(owner);
  expect(listed).toMatchObject({
    userName: 'Dora Driver',
    byteCount: 8,
    report: { format: null, positionCount: 0, sentence: expect.stringMatching(/^This file .*\.$/) },
  });
  const { notices } = (await app.as(owner).get('/api/notices')).json();
  expect(notices[0]).toMatchObject({
    kind: 'file_refused',
    text: 'Dora Driver sent you a lap file that could not be read.',
    link: '/club/operations',
  });
  const url = `/api/admin/refused-files/${listed.id}`;
  const archive = await app.as(owner).get(`${url}/archive.zip`);
  expect(archive.headers['content-type']).toContain('application/zip');
  const entries = unzip(archive.rawPayload);
  const names = [...entries.keys()];
  expect(names).toHaveLength(2);
  expect(names.every((name) => !name.includes('..'))).toBe(true);
  expect(String(entries.get(names.find((name) => name.startsWith('file/')) ?? ''))).toBe(file.content);
  expect(JSON.parse(String(entries.get('report.json')))).toMatchObject(listed.report);
  expect(await listObjects()).toEqual([`refused-files/${listed.id}.gz`]);
  expect((await app.as(owner).delete(url)).json()).toEqual({ removed: true });
  expect(await list(owner)).toEqual([]);
  expect(await listObjects()).toEqual([]);
  expect((await app.as(owner).delete(url)).statusCode).toBe(404);
  expect((await app.as(owner).get(`${url}/archive.zip`)).statusCode).toBe(404);
});

test('a file that the engine reads is kept with what was found in it, once for the same content', async () => {
  const owner = await newOwner();
  const driver = await insertSignedIn(app.db);
  const file = kartCsv();
  for (let time = 0; time < 2; time += 1) expect((await send(driver, file)).statusCode).toBe(200);
  const sent = await list(owner);
  expect(sent).toHaveLength(1);
  expect(sent[0].report).toMatchObject({ sentence: null, format: 'generic-csv' });
  expect(sent[0].report.positionCount).toBeGreaterThan(100);
});

test('a file of a driver without a name is listed under the name that boards show', async () => {
  const owner = await newOwner();
  const driver = await insertSignedIn(app.db, { firstName: null, lastName: null, fullName: null });
  expect((await send(driver)).statusCode).toBe(200);
  expect((await list(owner))[0]).toMatchObject({ userName: 'User' });
});

test('a driver sends five files a day', async () => {
  const driver = await insertSignedIn(app.db);
  for (let sent = 0; sent < 5; sent += 1) expect((await send(driver)).statusCode).toBe(200);
  const sixth = await send(driver);
  expect(sixth.statusCode).toBe(429);
  expect(sixth.json()).toMatchObject({ message: 'You have sent 5 files today. Send more tomorrow.' });
  await app.database.pool.query("UPDATE refused_files SET sent_at = sent_at - interval '1 day'");
  expect((await send(driver)).statusCode).toBe(200);
});

test('a file of a driver who leaves while it is read is not kept, and a file that cannot be stored is in no list', async () => {
  const owner = await newOwner();
  const driver = await insertSignedIn(app.db);
  const before = [await list(owner), await listObjects()];
  const report = vi.spyOn(app.lapWorkers, 'report');
  report.mockImplementationOnce(async () => {
    expect((await leave(app, driver)).statusCode).toBe(200);
    return buildRefusal('Nothing is in it.');
  });
  expect((await send(driver)).statusCode).toBe(403);
  report.mockRestore();
  const { rowCount } = await app.database.pool.query('SELECT FROM refused_files WHERE user_id = $1', [
    driver.userId,
  ]);
  expect(rowCount).toBe(0);
  const put = vi.spyOn(app.storage, 'put');
  put.mockRejectedValueOnce(new Error('The storage is broken.'));
  const [other, file] = [await insertSignedIn(app.db), newFile()];
  expect((await send(other, file)).statusCode).toBe(500);
  expect([await list(owner), await listObjects()]).toEqual(before);
  expect((await send(other, file)).statusCode).toBe(200);
  expect(await list(owner)).toHaveLength(before[0].length + 1);
  put.mockRestore();
});

test('after 90 days a file is deleted, and an object without a row, too', async () => {
  await app.database.pool.query('DELETE FROM refused_files');
  await sweepRefusedFiles(app.storage, app.db, 0);
  expect(await listObjects()).toEqual([]);
  const driver = await insertSignedIn(app.db);
  expect((await send(driver)).statusCode).toBe(200);
  await app.database.pool.query("UPDATE refused_files SET sent_at = now() - interval '91 days'");
  expect((await send(driver)).statusCode).toBe(200);
  expect(await listObjects()).toHaveLength(2);
  expect(await sweepRefusedFiles(app.storage, app.db, 0)).toBe(1);
  expect(await listObjects()).toHaveLength(1);
  expect(await sweepRefusedFiles(app.storage, app.db, 0)).toBe(0);
});

test('guests get 401, all but owners 403, bad input 400', async () => {
  const [owner, member] = [await newOwner(), await insertSignedIn(app.db)];
  expect((await app.asGuest().postForm('/api/refused-files', [['file', newFile()]])).statusCode).toBe(401);
  expect((await app.as(member).postForm('/api/refused-files', [['other', 'x']])).statusCode).toBe(400);
  const twice = [newFile(), newFile()].map((file) => ['file', file] as const);
  expect((await app.as(member).postForm('/api/refused-files', twice)).statusCode).toBe(413);
  expect((await app.as(member).post('/api/refused-files', {})).statusCode).toBe(415);
  const url = `/api/admin/refused-files/${randomUUID()}`;
  for (const [method, path] of [
    ['GET', '/api/admin/refused-files'],
    ['GET', `${url}/archive.zip`],
    ['DELETE', url],
  ] as const) {
    expect((await app.asGuest().send(method, path)).statusCode).toBe(401);
    for (const role of ['member', 'moderator', 'admin'] as const)
      expect((await app.as(await insertSignedIn(app.db, { role })).send(method, path)).statusCode).toBe(403);
  }
  expect((await app.as(owner).delete('/api/admin/refused-files/no-uuid')).statusCode).toBe(400);
  expect((await app.as(owner).delete(url)).statusCode).toBe(404);
});

test('the export of an account has the files that its driver has sent, and those of no other driver', async () => {
  const driver = await insertSignedIn(app.db);
  const file = newFile();
  await send(driver, file);
  const exportOf = async (who: SignedIn) => unzip((await app.as(who).get('/api/account/export')).rawPayload);
  const entries = await exportOf(driver);
  const { refusedFiles } = JSON.parse(String(entries.get('account.json')));
  expect(refusedFiles).toMatchObject([
    { fileName: 'log.bin', report: { sentence: expect.stringMatching(/^This /) } },
  ]);
  expect(String(entries.get(refusedFiles[0].inThisExport))).toBe(file.content);
  const others = await exportOf(await insertSignedIn(app.db));
  expect([...others.keys()]).toEqual(['account.json']);
});
