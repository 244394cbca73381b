import { execFileSync } from 'node:child_process';
import { chownSync, chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#server/kernel/database/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/kernel/database/embedded-postgres.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';

// The tests connect with each `sslmode` to a PostgreSQL whose certificate is from an authority that only they know.

let folder: string;
let authority: string;
let postgres: EmbeddedPostgres;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pitboard-tls-'));
  chmodSync(folder, 0o711);
  authority = join(folder, 'ca.crt');
  makeCertificates();
  port = await findFreePort();
  const options = { folder: join(folder, 'database') };
  // Once without TLS: only then is it known as whom the server runs, who alone may read the key.
  await (await startEmbeddedPostgres(options)).stop();
  const { uid, gid } = statSync(options.folder);
  chownSync(join(folder, 'server.key'), uid, gid);
  chmodSync(join(folder, 'server.key'), 0o600);
  postgres = await startEmbeddedPostgres({
    ...options,
    settings: {
      listen_addresses: 'localhost',
      port: String(port),
      ssl: 'on',
      ssl_cert_file: join(folder, 'server.crt'),
      ssl_key_file: join(folder, 'server.key'),
    },
  });
});

afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function makeCertificates(): void {
  const run = (...parameters: string[]) =>
    execFileSync('openssl', parameters, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  run(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-days',
    '2',
    '-subj',
    '/CN=of the test',
  );
  run('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
  run('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...signed);
  for (const name of ['ca.crt', 'server.crt']) chmodSync(join(folder, name), 0o644);
}

/** Returns whether a connection with these options of its address is encrypted. @throws where there is no connection */
async function isEncrypted(options: string, host = 'localhost'): Promise<boolean> {
  const database = openDatabase(`postgresql://pitboard@${host}:${port}/postgres?${options}`);
  try {
    const { rows } = await database.pool.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    return rows[0]?.ssl === true;
  } finally {
    await database.close();
  }
}

test('verify-full with its authority is encrypted, and refuses another name', async () => {
  expect(await isEncrypted(`sslmode=verify-full&sslrootcert=${authority}`)).toBe(true);
  await expect(
    isEncrypted(`sslmode=verify-full&sslrootcert=${authority}`, '127.0.0.1'),
  ).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
});

test.each(['sslmode=verify-full', 'sslmode=require'])('%s refuses an unknown authority', async (options) => {
  await expect(isEncrypted(options)).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
});

test('no-verify is encrypted and believes anybody; without sslmode nothing is encrypted', async () => {
  expect(await isEncrypted('sslmode=no-verify')).toBe(true);
  expect(await isEncrypted('')).toBe(false);
});
