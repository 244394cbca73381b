import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CurrentProofBundle, lapProofEndpoints } from '#contract/lap-view/proof.ts';
import { openDocumentSigner } from '#server/kernel/sign-document.ts';
import { normalizeKey } from '../../../scripts/proof-keys.ts';
import { findDuplicateName } from '../../../scripts/untrusted-text.ts';
import { verify } from '../../../scripts/verify.ts';
import { insertKartUpload } from '../kart-upload.ts';
import { insertKartTrack } from '../kart-uploads.ts';
import { useTestApp } from '../test-app.ts';

// Bundles of forgers for `npm run verify`: signed by themselves, with names that command a terminal, and with two results.

const app = useTestApp();
let folder: string;
let bundle: CurrentProofBundle;
let key: string;
const forger = openDocumentSigner('not the secret of this server');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-verify-'));
  vi.stubEnv('HOME', folder);
  const upload = await insertKartUpload(app, await insertKartTrack(app.db));
  bundle = lapProofEndpoints.proof.response.parse((await app.asGuest().get(`${upload.url}/proof`)).json());
  key = (await app.asGuest().get('/api/proof-key')).json().publicKey;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function write(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Runs the command on a bundle; gives its exit code and what it prints. */
async function run(content: unknown, ...options: string[]): Promise<{ exitCode: number; text: string }> {
  const path = await write('bundle.json', content);
  const lines: string[] = [];
  const [log, error] = [console.log, console.error];
  console.log = console.error = (line: string) => void lines.push(line);
  try {
    return { exitCode: verify([path, ...options]), text: lines.join('\n') };
  } finally {
    [console.log, console.error] = [log, error];
  }
}

const forge = (change: Partial<CurrentProofBundle> = {}): CurrentProofBundle => {
  const { signature: _signature, ...rest } = bundle;
  return forger.sign({ ...rest, ...change });
};

test('a genuine bundle holds with the key of its server, and with the known key of its host', async () => {
  expect(await run(bundle, '--key', key)).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining('It holds: '),
  });
  const path = await write(
    'keys',
    `# of servers\n\nother.example ${forger.publicKey}\nlocalhost:4200 ${key}\n`,
  );
  expect((await run(bundle, '--known-keys', path)).exitCode).toBe(0);
  await write('.pitboard-known-keys', `LOCALHOST:4200   ${key}`);
  expect((await run(bundle)).exitCode).toBe(0);
  await rm(join(folder, '.pitboard-known-keys'));
  const json = await run(bundle, '--json', '--key', key);
  expect(JSON.parse(json.text)).toMatchObject({ holds: true, problems: [], unknowns: [] });
});

test('a bundle of a key that is not known does not hold, whatever it says', async () => {
  for (const forged of [bundle, forge({ userName: 'World Champion', site: 'https://laps.example.org' })]) {
    const { exitCode, text } = await run(forged);
    expect([exitCode, text]).toEqual([1, expect.stringContaining('a key that this machine does not know')]);
    expect(text).not.toContain('It holds');
    expect(JSON.parse((await run(forged, '--json')).text)).toMatchObject({ holds: false });
  }
  const path = await write('keys', `localhost:4200 ${key}`);
  expect(await run(forge(), '--known-keys', path)).toMatchObject({
    exitCode: 2,
    text: expect.stringContaining('another key than the one that is known for localhost:4200'),
  });
  expect((await run(forge(), '--key', key)).exitCode).toBe(2);
  expect((await run(forge({ site: 'no URL' }), '--known-keys', path)).exitCode).toBe(1);
});

test('a file of known keys that is missing or wrong is said to be so', async () => {
  expect(await run(bundle, '--known-keys', join(folder, 'no such'))).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining('cannot be read (ENOENT)'),
  });
  for (const line of ['localhost:4200', `localhost:4200 ${key} more`, 'localhost:4200 AAAA'])
    expect((await run(bundle, '--known-keys', await write('keys', line))).text).toContain('Line 1 of');
});

const HEAD_OF_SPKI = '302a300506032b6570032100';
const spki = (hex: string): string => Buffer.from(HEAD_OF_SPKI + hex, 'hex').toString('base64');

test.each([
  ['the neutral point', `01${'00'.repeat(31)}`],
  ['the neutral point with a sign', `01${'00'.repeat(30)}80`],
  ['zero', '00'.repeat(32)],
  ['order eight', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
  ['order eight, the other one', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'],
  ['p - 1', `ec${'ff'.repeat(30)}7f`],
  ['p, which is zero', `ed${'ff'.repeat(30)}7f`],
  ['p + 1', `ee${'ff'.repeat(30)}ff`],
])('a key of small order is refused: %s', async (_what, hex) => {
  expect(normalizeKey(spki(hex))).toBeNull();
  const head = { algorithm: 'Ed25519' as const, publicKey: spki(hex) };
  // This signature fits any text under the neutral point.
  const value = Buffer.from(`01${'00'.repeat(63)}`, 'hex').toString('base64');
  const forged = { ...bundle, result: { ...bundle.result, lapTimeMs: 1 }, signature: { ...head, value } };
  const { exitCode, text } = await run(forged, '--key', spki(hex));
  expect([exitCode, text]).toEqual([2, expect.stringContaining('no Ed25519 key that only one server')]);
});

test('keys of other kinds are refused', () => {
  expect(normalizeKey(key)).toBe(key);
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), randomBytes(32)]);
  const x25519 = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
  expect(normalizeKey(x25519.export({ format: 'der', type: 'spki' }).toString('base64'))).toBeNull();
});

// Everything that a terminal may take for a command: Cc with C1, Cf, and the separators of lines.
const COMMANDS =
  '\u001b[2J\u001b[HIt holds: really\u001b[8m\n\r\u0007\u009b2J\u202e\u200b\u2028\u2029\u00ad\u{e0001}';
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('no invisible character of a bundle reaches the terminal, and none of its lines is one of ours', async () => {
  const { signature, lapFile } = bundle;
  const bundles: unknown[] = [
    forge({ userName: COMMANDS, trackName: COMMANDS, site: `https://${COMMANDS}`, engineVersion: COMMANDS }),
    forge({ lapFile: { sha256: COMMANDS, format: COMMANDS } }),
    { ...bundle, [COMMANDS]: 1 },
    { ...bundle, lapFile: { ...lapFile, [COMMANDS]: 1 } },
    { ...bundle, kind: COMMANDS },
    { ...bundle, signature: { ...signature, publicKey: COMMANDS } },
    `{"${COMMANDS.replaceAll(/\p{Cc}/gu, '')}":1,"${COMMANDS.replaceAll(/\p{Cc}/gu, '')}":2}`,
  ];
  for (const hostile of bundles) {
    for (const options of [[], ['--json'], ['--key', key]]) {
      const { exitCode, text } = await run(hostile, ...options);
      expect(exitCode).toBeGreaterThan(0);
      for (const line of text.split('\n')) {
        expect(line).not.toMatch(INVISIBLE);
        expect(line).not.toMatch(/^It holds/);
      }
    }
  }
});

test('a very long name does not push the verdict off the screen', async () => {
  const { text } = await run(forge({ userName: 'a'.repeat(100_000) }));
  expect(text.length).toBeLessThan(3_000);
});

test('a bundle with a name twice is refused, because readers may take the first or the last', async () => {
  const text = JSON.stringify(bundle);
  const fast = '"result":{"lapTimeMs":1,"uncertaintyMs":1,"sectorTimesMs":[]},';
  for (const doubled of [
    text.replace('"result":', `${fast}"result":`),
    text.replace('"result":', `${fast.replace('"result"', '"re\\u0073ult"')}"result":`),
    text.replace('"lapTimeMs":', '"lapTimeMs" : 1, "lapTimeMs"\n:'),
  ]) {
    expect(doubled).not.toBe(text);
    const { exitCode, text: said } = await run(doubled, '--key', key);
    expect([exitCode, said]).toEqual([1, expect.stringMatching(/"(result|lapTimeMs)" twice/)]);
  }
  expect((await run(JSON.stringify(bundle, null, 2), '--key', key)).exitCode).toBe(0);
});

test('names that are twice are found in any text, and texts are not taken for names', () => {
  expect(findDuplicateName('{"a":{"a":[{"a":1},{"a":"a\\":"}]},"b":"\\"a\\":1,\\"a\\":"}')).toBeNull();
  expect(findDuplicateName('[{"a":1},{"b":[],"c":{},"b":0}]')).toBe('b');
  expect(findDuplicateName(`{"a":"${'\\\\x'.repeat(3_000_000)}","a":0}`)).toBe('a');
});

test('a bundle of another engine is not called false, unless its signature is', async () => {
  const older = forge({ engineVersion: '15', result: { ...bundle.result, uncertaintyMs: 99 } });
  const known = await run(older, '--key', forger.publicKey);
  expect([known.exitCode, known.text]).toEqual([1, expect.stringContaining('was made by engine 15')]);
  expect(known.text).not.toContain('does not hold');
  expect((await run({ ...older, userName: 'Other' }, '--key', forger.publicKey)).exitCode).toBe(2);
  expect((await run(forge({ engineVersion: '15' }), '--key', forger.publicKey)).exitCode).toBe(0);
});

test('the command says what is wrong with a bundle, and its exit code too', async () => {
  const bad = await run({ ...bundle, userName: 'Somebody Else' }, '--key', key);
  expect(bad).toMatchObject({ exitCode: 2, text: expect.stringContaining('The signature does not fit') });
  expect((await run(bundle, '--key', 'AAAA')).exitCode).toBe(2);
  expect(await run('no json')).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining('no proof of a lap'),
  });
  expect((await run({ kind: 'else' })).exitCode).toBe(1);
  expect((await run(bundle, '--key', key)).text).toContain(bundle.lapFile.sha256);
});
