import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { insertSignedIn, type SignedIn } from '../builders.ts';
import { phonePhoto } from '../images.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '../kart-uploads.ts';
import { useTestApp } from '../test-app.ts';

// Files that are made to do something else than to be read.

const app = useTestApp();
let driver: SignedIn;
let trackId: string;

beforeAll(async () => {
  driver = await insertSignedIn(app.db, { isAdmin: true });
  trackId = await insertKartTrack(app.db);
});

const ENTITIES = Array.from(
  { length: 12 },
  (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
).join('');
const XML_BOMB = `<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY e0 "lol">${ENTITIES}]><gpx><trk><name>&e12;</name><trkseg><trkpt lat="&e12;" lon="1"><time>&e12;</time></trkpt></trkseg></trk></gpx>`;
const ZIP_BOMB = Buffer.concat([
  Buffer.from('504b03041400000008000000000000000000', 'hex'),
  deflateRawSync(Buffer.alloc(50_000_000)),
]);

test.each([
  ['an XML bomb', 'bomb.gpx', Buffer.from(XML_BOMB)],
  ['XML that is nested a hundred thousand times', 'deep.gpx', Buffer.from(`<gpx>${'<trk>'.repeat(100_000)}`)],
  [
    'XML that names a file of the server',
    'file.gpx',
    Buffer.from(
      '<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]><gpx><trk><name>&x;</name></trk></gpx>',
    ),
  ],
  ['a zip bomb', 'bomb.zip', ZIP_BOMB],
  ['one line without an end', 'line.csv', Buffer.alloc(20_000_000, 'a')],
  ['a million columns', 'wide.csv', Buffer.from(`${'lat,'.repeat(1_000_000)}\n${'1,'.repeat(1_000_000)}`)],
  ['JSON that is nested a hundred thousand times', 'deep.json', Buffer.from('['.repeat(100_000))],
  ['a page with a script', 'page.html', Buffer.from('<html><script>alert(1)</script></html>')],
])(
  '%s gives a sentence, as a lap file and in every import, and the server goes on',
  async (_, name, content) => {
    const file = { name, content };
    const upload = await app.as(driver).uploadLaps(trackId, file);
    const [result] = upload.json().results;
    expect(result).toMatchObject({ success: false, error: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(result.error).not.toMatch(/root:|Something went wrong/);
    const analysis = await app.as(driver).postForm('/api/analyze-gps', [['file', file]]);
    expect(analysis.json()).toMatchObject({ gpsSuggestions: [], message: expect.stringMatching(/\.$/) });
    for (const url of [
      '/api/admin/parse-tracks',
      '/api/apex/parse',
      '/api/admin/car-library/upload-preview',
    ]) {
      const response = await app.as(driver).postForm(url, [['file', file]]);
      expect(response.statusCode, `${url}: ${response.body.slice(0, 300)}`).toBeLessThan(500);
      expect(response.body).not.toContain('root:');
    }
  },
);

test.each([
  [
    'a GIF that is a script too',
    Buffer.from('GIF89a/*\u0001\u0000\u0001\u0000*/=1;alert(document.domain)//;'),
  ],
  [
    'a drawing with a script',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'),
  ],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a PDF', Buffer.from('%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(alert)>>>>endobj')],
  ['a drawing program', Buffer.from('%!PS-Adobe-3.0\n(/etc/passwd) (r) file')],
])('%s is no photo', async (_, content) => {
  const avatarURL = await app.as(driver).sendImage(content);
  const response = await app.as(driver).put('/api/user/avatar', { avatarURL });
  expect(response.statusCode).toBe(400);
});

test('only the picture is kept of a photo with a page behind it', async () => {
  const page = Buffer.from('<html><script>alert("behind")</script></html>');
  const content = Buffer.concat([await phonePhoto(), page]);
  const avatarURL = await app.as(driver).sendImage(content);
  const payload = { avatarURL };
  const set = await app.as(driver).put('/api/user/avatar', payload);
  expect(set.statusCode).toBe(200);
  const shown = await app.asGuest().get(set.json().profileImageUrl);
  expect(shown.headers['content-type']).toBe('image/webp');
  expect(shown.rawPayload.includes('script')).toBe(false);
});

const EDGE = { 'content-type': 'multipart/form-data; boundary=edge' };

/** A form as no browser sends it: the name of its file just as it is given. */
function rawForm(disposition: string): Buffer {
  const lines = [
    ['--edge', 'Content-Disposition: form-data; name="trackId"', '', trackId],
    ['--edge', `Content-Disposition: form-data; name="files"; ${disposition}`, '', String(kartCsv().content)],
    ['--edge--', ''],
  ];
  return Buffer.from(lines.flat().join('\r\n'));
}

test.each([
  'filename="../../../../etc/cron.d/laps"',
  'filename="/etc/passwd"',
  'filename="..\\..\\windows\\system32\\laps.csv"',
  "filename*=UTF-8''..%2f..%2f..%2fetc%2fpasswd",
  "filename*=UTF-8''laps%00.csv",
  'filename="\u202Evsc.spal.csv"',
  `filename="${'long'.repeat(75)}.csv"`,
  'filename="CON"',
  'filename="aux.csv"',
  'filename="..."',
  'filename="<img src=x onerror=alert(1)>.csv"',
  'filename="=HYPERLINK(1).csv"',
])('%s is a name to show and leads nowhere', async (disposition) => {
  const response = await app.as(driver).post('/api/upload', rawForm(disposition), EDGE);
  expect(response.statusCode).toBe(200);
  expect(response.headers).not.toHaveProperty('set-cookie');
  const [{ file, success }] = response.json().results;
  expect(success).toBe(true);
  expect(file).toMatch(/^[^/\\\p{Cc}]{1,255}$/u);
});

test('an export of files with such names unpacks into its own folder only', async () => {
  const { rawPayload } = await app.as(driver).get('/api/account/export');
  const names = namesInZip(rawPayload);
  expect(names).toHaveLength(26);
  for (const name of names) {
    expect(name).not.toMatch(/^[/\\]|\\|(^|\/)\.\.?(\/|$)|^[a-z]:|\p{Cc}/iu);
    expect(name).not.toMatch(/(^|\/)(con|aux|nul|prn|com\d|lpt\d)(\.|$)/i);
  }
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const key of await listKeptFiles(app.storage)) expect(key).toMatch(/^lap-files\/[0-9a-z/._-]+$/);
});

/** The names in the directory at the end of a zip. */
function namesInZip(zip: Buffer): string[] {
  const names: string[] = [];
  const entry = Buffer.from('504b0102', 'hex');
  for (let at = zip.indexOf(entry); at !== -1; at = zip.indexOf(entry, at + 46)) {
    names.push(zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28)).toString());
  }
  return names;
}

test('a file with line ends in its name is left out, and nothing of the name gets into the answer', async () => {
  const part = `Content-Disposition: form-data; name="files"; filename*=UTF-8''laps%0d%0aset-cookie%3a%20a%3db.csv`;
  const response = await app
    .as(driver)
    .post('/api/upload', ['--edge', part, '', 'lat,lon', '--edge--', ''].join('\r\n'), EDGE);
  expect(response.statusCode).toBe(400);
  expect(response.headers).not.toHaveProperty('set-cookie');
});

function rename(displayName: string) {
  return app.as(driver).patch('/api/auth/user/preferences', { displayName });
}

test('names and links with line ends, or that run a script, are refused', async () => {
  for (const name of ['a\r\nset-cookie: a=b', 'a\u0000', '\u202Eabc', '\u200b'])
    expect((await rename(name)).statusCode, JSON.stringify(name)).toBe(400);
  for (const videoUrl of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'vbscript:x',
    '//elsewhere.example',
  ])
    expect(
      (await app.as(driver).uploadLaps(trackId, kartCsv(), { videoUrl })).statusCode,
      JSON.stringify(videoUrl),
    ).toBe(400);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)(
  'a body of %s that is small and unpacks to more than a call takes is refused',
  async (encoding, pack) => {
    const send = (bytes: number) =>
      app
        .as(driver)
        .patch('/api/auth/user/preferences', pack(Buffer.from('{"emailUpdates":true}'.padEnd(bytes))), {
          'content-type': 'application/json',
          'content-encoding': encoding,
        });
    expect((await send(100)).statusCode).toBe(200);
    expect((await send(50_000_000)).statusCode).toBe(413);
  },
);
