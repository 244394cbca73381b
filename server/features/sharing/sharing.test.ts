import { XMLParser } from 'fast-xml-parser';
import { renderSVG } from 'uqr';
import { beforeAll, expect, test } from 'vitest';
import type { TrackId, UserId } from '#contract/ids.ts';
import { saveClubSettings } from '#server/model/club/club-settings-store.ts';
import {
  insertCarModel,
  insertSession,
  insertTrack,
  insertUser,
  insertUserCar,
} from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();
let trackId: TrackId;

beforeAll(async () => {
  trackId = await insertTrack(app.db, { name: 'Aldertown <b>' });
  const ana = await insertUser(app.db, { displayName: '=HYPERLINK("http://evil.example")' });
  const carModelId = await insertCarModel(app.db);
  const userCarId = await insertUserCar(app.db, { userId: ana, carModelId });
  await drive(ana, 60_500, { userCarId, tireCompound: 'rcomp' });
  await drive(await insertUser(app.db, { displayName: '<script>alert(1)</script>' }), 60_000);
});

const drive = (userId: UserId, lapTimeMs: number, given: object = {}) =>
  insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs }], ...given });

test('a board may be framed by any site, as a page without scripts; every other page may not', async () => {
  const { headers, body } = await guest.get(`/api/embed/track/${trackId}?theme=dark&limit=5`);
  expect(headers['content-security-policy']).toContain('frame-ancestors *');
  expect(headers['content-security-policy']).toContain("script-src 'none'");
  expect(headers).not.toHaveProperty('x-frame-options');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(body).toContain('data-theme="dark"');
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(body).not.toContain('<script');
  expect(body).toContain('1:00.000');
  expect(body).toContain('+0.500');
  expect(body).not.toContain('<svg');
  for (const url of ['/api/docs', '/', `/track/${trackId}`, `/api/tracks/${trackId}/board.csv`]) {
    const other = await guest.get(url);
    expect(other.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(other.headers['x-frame-options']).toBe('SAMEORIGIN');
  }
});

test('an embedded board shows the outline of its track and the name of the club', async () => {
  const outline: [number, number][] = [
    [51.1777, 1.1989],
    [51.1787, 1.1999],
    [51.1777, 1.2009],
  ];
  const drawn = await insertTrack(app.db, { outline });
  const { body } = await guest.get(`/api/embed/track/${drawn}`);
  expect(body).toMatch(/<path d="M[^"]+"/);
  expect(body).toContain('<svg');
  expect(body).toContain('The whole board on Pitboard');
});

test('an embedded board takes the filters of the board, and links to it with them', async () => {
  const { body } = await guest.get(`/api/embed/track/${trackId}?tire=rcomp`);
  expect(body).toContain('HYPERLINK');
  expect(body).not.toContain('alert(1)');
  expect(body).toContain(`http://localhost:4200/track/${trackId}?tire=rcomp`);
  expect((await guest.get(`/api/embed/track/${trackId}?make=Lada`)).body).toContain(
    'No lap matches these filters.',
  );
  for (const query of ['theme=pink', 'limit=0', 'limit=101', 'tire=wood'])
    expect((await guest.get(`/api/embed/track/${trackId}?${query}`)).statusCode).toBe(400);
});

test('a board as CSV has a row for each driver and begins no cell with a formula', async () => {
  const { headers, body } = await guest.get(`/api/tracks/${trackId}/board.csv`);
  expect(headers['content-disposition']).toBe(`attachment; filename="${trackId}.csv"`);
  const [header, first, second, ...rest] = body.split('\r\n');
  expect(header).toMatch(/^Position,Driver,Car,Tires,Lap time,/);
  expect(first).toMatch(/^1,<script>alert\(1\)<\/script>,,Unknown,1:00.000,60000,0,5,2026-06-06T/);
  expect(second).toMatch(/^2,"'=HYPERLINK\(""http:\/\/evil.example""\)",Mazda MX-5 1.8,R-Comp DOT Slick,/);
  expect(rest).toEqual(['']);
  expect((await guest.get(`/api/tracks/${trackId}/board.csv?tire=rcomp`)).body.split('\r\n')).toHaveLength(3);
});

test('a QR code is a picture of the URL of the board', async () => {
  const { headers, body } = await guest.get(`/api/tracks/${trackId}/qr-code.svg`);
  expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(body).toMatch(/^<svg /);
  const other = await guest.get(`/api/tracks/${await insertTrack(app.db)}/qr-code.svg`);
  expect(other.body).not.toBe(body);
  const filtered = await guest.get(`/api/tracks/${trackId}/qr-code.svg?raceClass=Kart`);
  const address = `http://localhost:4200/track/${trackId}?raceClass=Kart`;
  expect(filtered.body).toBe(renderSVG(address, { ecc: 'M', border: 4 }));
});

test('an address that is too long for a QR code is refused', async () => {
  const path = `/api/tracks/${trackId}/qr-code.svg`;
  const name = encodeURIComponent('車'.repeat(200));
  expect((await guest.get(`${path}?make=${'M'.repeat(3_000)}`)).statusCode).toBe(400);
  expect((await guest.get(`${path}?make=${'M'.repeat(200)}`)).statusCode).toBe(200);
  const refused = await guest.get(`${path}?make=${name}&variant=${name}`);
  expect([refused.statusCode, refused.json().message]).toEqual([
    413,
    'This address is too long for a QR code.',
  ]);
});

test('the feed has the latest records of all tracks or of one, as well-formed Atom', async () => {
  const other = await insertTrack(app.db, { name: 'Birchtown' });
  await insertSession(app.db, {
    trackId: other,
    userId: await insertUser(app.db),
    laps: [{ lapTimeMs: 50_000 }],
  });
  const parser = new XMLParser({ ignoreAttributes: false });
  const { headers, body } = await guest.get('/api/feed/records');
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
  const { feed } = parser.parse(body);
  expect(feed.entry.map(({ title }: { title: string }) => title)).toEqual([
    expect.stringMatching(/^Birchtown Full: 0:50.000 by Test Driver|^Birchtown Full: 50.000 by/),
    'Aldertown <b> Full: 1:00.000 by <script>alert(1)</script>',
    'Aldertown <b> Full: 1:00.500 by =HYPERLINK("http://evil.example")',
  ]);
  expect(feed.title).toBe('Pitboard: track records');
  expect(feed.entry[0].link['@_href']).toMatch(new RegExp(`^http://localhost:4200/track/${other}\\?lap=`));
  const one = parser.parse((await guest.get(`/api/feed/records?track=${other}`)).body).feed;
  expect(one.entry.title).toContain('Birchtown');
  expect((await guest.get('/api/feed/records?track=A%20b')).statusCode).toBe(400);
  await saveClubSettings(app.db, { name: 'Rock & Roll', timeZone: 'UTC', registration: 'open' });
  expect((await guest.get('/api/feed/records')).body).toContain(
    '<title>Rock &amp; Roll: track records</title>',
  );
});
