import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installFromDebian } from './debian.mjs';

// Tests use this real S3-compatible object storage: Ceph's gateway, from Debian's packages. It listens on this computer only
// and keeps its objects in memory.

const PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd'];

const START_PATIENCE_MS = 60_000;

let folder = '';
const children = [];

/**
 * Installs Ceph where it is missing and may be installed.
 * @returns {string | null} the missing packages and the reason; null where Ceph is installed
 */
export function whyNoCeph() {
  if (PACKAGES.every((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)) return null;
  const why = installFromDebian(PACKAGES);
  return why === null ? null : `Debian’s packages ${PACKAGES.join(', ')}, and ${why}`;
}

/** Starts Ceph; returns its URL and the function that stops it. */
export async function startCeph() {
  folder = mkdtempSync(join(tmpdir(), 'pitboard-ceph-'));
  try {
    return { endpoint: await startAll(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts one monitor, one store in memory and one gateway; returns the gateway's URL. */
async function startAll() {
  const [monitorPort, gatewayPort] = [await findFreePort(), await findFreePort()];
  const monitor = `v2:127.0.0.1:${monitorPort}`;
  const clusterId = randomUUID();
  writeConfig(clusterId, monitor, gatewayPort);
  makeKeys();
  const map = join(folder, 'monitors');
  run('monmaptool', ['--create', '--fsid', clusterId, '--addv', 'a', `[${monitor}]`, map]);
  run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map, '--keyring', join(folder, 'keyring')]);
  startDaemon('ceph-mon', ['-i', 'a']);

  const storeId = randomUUID(); // registered and created under the same id
  run('ceph', ['osd', 'create', storeId]);
  run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', storeId]);
  run('ceph', ['osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=localhost']);
  startDaemon('ceph-osd', ['-i', '0']);
  await until(() => run('ceph', ['osd', 'stat']).includes('1 up'));

  startDaemon('radosgw', ['-n', 'client.gateway']);
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  await until(() =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  const user = ['--uid=pitboard', '--display-name=Pitboard'];
  const keys = ['--access-key=pitboardkey', '--secret-key=pitboardsecret'];
  run('radosgw-admin', ['-n', 'client.gateway', 'user', 'create', ...user, ...keys]);
  return endpoint;
}

function writeConfig(clusterId, monitor, gatewayPort) {
  for (const name of ['monitor', 'store', 'gateway']) mkdirSync(join(folder, name));
  const settings = {
    global: {
      fsid: clusterId,
      mon_host: monitor,
      // The monitor refuses a gateway that does not authenticate.
      auth_cluster_required: 'cephx',
      auth_service_required: 'cephx',
      auth_client_required: 'cephx',
      keyring: join(folder, 'keyring'),
      run_dir: folder,
      log_file: join(folder, '$name.log'),
      admin_socket: join(folder, '$name.asok'),
      // The cluster has one store with one copy.
      osd_pool_default_size: 1,
      osd_pool_default_min_size: 1,
      osd_pool_default_pg_num: 4,
      osd_pool_default_pg_autoscale_mode: 'off',
      osd_crush_chooseleaf_type: 0,
      mon_allow_pool_size_one: true,
      mon_max_pg_per_osd: 2_000,
    },
    'mon.a': { mon_data: join(folder, 'monitor') },
    'osd.0': {
      osd_data: join(folder, 'store'),
      osd_objectstore: 'memstore',
      memstore_device_bytes: 2 ** 31,
      public_addr: '127.0.0.1',
    },
    'client.gateway': {
      rgw_data: join(folder, 'gateway'),
      rgw_frontends: `beast endpoint=127.0.0.1:${gatewayPort}`,
    },
  };
  const text = Object.entries(settings).map(([section, values]) =>
    [`[${section}]`, ...Object.entries(values).map(([name, value]) => `${name} = ${value}`)].join('\n'),
  );
  writeFileSync(join(folder, 'ceph.conf'), `${text.join('\n')}\n`);
}

function makeKeys() {
  const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'];
  const keyring = join(folder, 'keyring');
  run('ceph-authtool', ['--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *']);
  for (const name of ['client.admin', 'client.gateway', 'osd.0']) {
    run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...all]);
  }
}

function run(program, parameters) {
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    encoding: 'utf8',
    timeout: START_PATIENCE_MS,
    env: { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') },
  });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')}: ${stderr}`);
  return stdout;
}

function startDaemon(program, parameters) {
  // The program runs in the foreground, so that this process stops it.
  const child = spawn(program, ['-f', ...parameters], {
    stdio: 'ignore',
    env: { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') },
  });
  children.push(child);
}

async function stop() {
  for (const child of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL'); // no data are kept
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function until(isSo) {
  const endMs = Date.now() + START_PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error('Ceph did not start in time.');
    await sleep(250);
  }
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
