import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readConfig, SETTING_NAMES } from '#server/kernel/config/config.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';

// Files that describe how several copies run. No container is started here: what they say is read and checked.

const readText = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');

/** The server drains, then finishes requests for at most this long before it is cut off. */
const REQUESTS_PATIENCE_SECONDS = 10;

/** A person writes these values into `.env`. */
const ANSWERS: Record<string, string> = {
  DOMAIN: 'laps.example.org',
  FILES_DOMAIN: 'files.example.org',
  OIDC_ISSUER: 'https://id.example.org',
  ADMIN_EMAILS: 'ann@example.org',
};

const settings = z.record(z.string(), z.string());

const service = z.object({
  image: z.string(),
  environment: settings.optional(),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.unknown()).default({}),
  stop_grace_period: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});

const composeFile = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

const compose = composeFile.parse(parse(readText('compose.yaml'), { merge: true }));

function fillIn(text: string): string {
  return text.replaceAll(
    /\$\{(\w+)[^}]*\}/g,
    (_, name: string) => ANSWERS[name] ?? `a long answer for ${name} in the file`,
  );
}

/** The address of a database must not hold spaces. */
function fillAll(environment: Record<string, string>): Record<string, string> {
  const filled = Object.entries(environment).map(([name, text]) => [
    name,
    text.startsWith('postgresql://') ? text.replaceAll(/\$\{[^}]*\}/g, 'password') : fillIn(text),
  ]);
  return settings.parse(Object.fromEntries(filled));
}

test('both copies of compose.yaml start with settings that the server takes', () => {
  for (const name of ['pitboard-1', 'pitboard-2']) {
    const { environment = {}, stop_grace_period = '' } = compose.services[name] ?? {};
    expect(Object.keys(environment).filter((setting) => !SETTING_NAMES.includes(setting))).toEqual([]);
    const config = readConfig({ ...fillAll(environment), HOST: '0.0.0.0' });
    expect(config.databaseReplicaUrl).not.toBeNull();
    expect(config.s3).not.toBeNull();
    expect(config.oidc).not.toBeNull();
    const graceSeconds = Number(/^(\d+)s$/.exec(stop_grace_period)?.[1]);
    expect(graceSeconds).toBeGreaterThan(config.drainMs / 1000 + REQUESTS_PATIENCE_SECONDS);
  }
});

test('Compose finds out that a copy is ready, is not, or is gone', async () => {
  const [kind, program = '', ...parameters] = compose.services['pitboard-1']?.healthcheck?.test ?? [];
  expect(kind).toBe('CMD');
  let status = 200;
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/api/ready' ? status : 404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  const check = async (): Promise<unknown> => {
    const here = parameters.map((text) => text.replace('127.0.0.1:3000', `127.0.0.1:${address.port}`));
    expect(here).not.toEqual(parameters);
    const [code] = await once(spawn(program, here, { stdio: 'ignore' }), 'exit');
    return code;
  };
  expect(await check()).toBe(0);
  status = 503;
  expect(await check()).toBe(1);
  await new Promise((resolve) => server.close(resolve));
  expect(await check()).toBe(1);
});

test('a database counts as ready once others reach it', () => {
  // Through its socket it answers already while its files are made.
  for (const name of ['database', 'database-replica']) {
    expect(compose.services[name]?.healthcheck?.test).toContain('--host=localhost');
  }
});

test('browsers may send photos to the storage from the pages of the site', () => {
  const caddyfile = readText('deploy/Caddyfile');
  const { PUBLIC_URL = '' } = compose.services['pitboard-1']?.environment ?? {};
  expect(PUBLIC_URL).toBe('https://${DOMAIN:?}');
  expect(caddyfile).toContain('Access-Control-Allow-Origin https://{$DOMAIN}');
  expect(caddyfile).toContain('Access-Control-Allow-Methods PUT');
  expect(caddyfile).toContain('Access-Control-Allow-Headers content-type');
});

test('compose.yaml names nothing that is not there', () => {
  for (const { volumes, depends_on } of Object.values(compose.services)) {
    expect(Object.keys(depends_on).filter((name) => !(name in compose.services))).toEqual([]);
    const sources = volumes.map((volume) => volume.split(':', 1)[0] ?? '');
    const missing = sources.filter((source) =>
      source.startsWith('./') ? !existsSync(join(projectFolder, source)) : !(source in compose.volumes),
    );
    expect(missing).toEqual([]);
  }
  const caddyfile = readText('deploy/Caddyfile');
  for (const [, host = ''] of caddyfile.matchAll(/([\w-]+):\d{4}/g))
    expect(compose.services).toHaveProperty(host);
  expect(caddyfile).toContain('health_uri /api/ready');
  // The keys are a secret of who runs it; an example stands beside them.
  expect(compose.secrets['storage-keys']?.file).toBe('./deploy/storage-keys.json');
  JSON.parse(readText('deploy/storage-keys.example.json'));
});

const metadata = z.object({ name: z.string() });
const labels = z.object({ app: z.literal('pitboard') });
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });

const deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    replicas: z.number().min(2),
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            envFrom: z.array(z.record(z.string(), metadata)),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            livenessProbe: probe,
            readinessProbe: probe,
            startupProbe: probe,
          }),
        ]),
      }),
    }),
  }),
});

const manifest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('Secret'), metadata, stringData: settings }),
  z.object({ kind: z.literal('ConfigMap'), metadata, data: settings }),
  deployment,
  z.object({
    kind: z.literal('PodDisruptionBudget'),
    spec: z.object({ selector: z.object({ matchLabels: labels }) }),
  }),
  z.object({
    kind: z.literal('Service'),
    metadata,
    spec: z.object({
      selector: labels,
      ports: z.array(z.object({ name: z.string(), targetPort: z.string() })),
    }),
  }),
  z.object({ kind: z.literal('Ingress') }),
]);

const manifests = parseAllDocuments(readText('deploy/kubernetes.yaml')).map((document) =>
  manifest.parse(document.toJS()),
);

test('the Kubernetes manifest starts copies with settings that the server takes, and waits until they have drained', () => {
  const environment: Record<string, string> = {};
  for (const one of manifests) {
    if (one.kind === 'Secret') Object.assign(environment, one.stringData);
    if (one.kind === 'ConfigMap') Object.assign(environment, one.data);
  }
  expect(Object.keys(environment).filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
  const config = readConfig({ ...environment, HOST: '0.0.0.0' });
  expect([config.s3, config.oidc, config.databaseReplicaUrl]).not.toContain(null);
  const found = manifests.find((one) => one.kind === 'Deployment');
  const { terminationGracePeriodSeconds, containers } = deployment.parse(found).spec.template.spec;
  const [container] = containers;
  expect(terminationGracePeriodSeconds).toBeGreaterThan(config.drainMs / 1000 + REQUESTS_PATIENCE_SECONDS);
  expect(container.livenessProbe.httpGet.path).toBe('/api/health');
  expect(container.readinessProbe.httpGet.path).toBe('/api/ready');
  expect(container.ports).toContainEqual({ name: 'metrics', containerPort: config.metricsPort });
  expect(container.ports).toContainEqual({ name: 'http', containerPort: config.port });
  expect(manifests.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['PodDisruptionBudget', 'Service', 'Ingress', 'Secret']),
  );
});

test('every setting of the server is explained to who runs it', () => {
  const page = readText('docs/operations.md');
  expect(SETTING_NAMES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

function readPatterns(path: string): string[] {
  const lines = readText(path).split('\n');
  return lines.map((line) => line.replace(/\/$/, '')).filter((line) => line !== '');
}

test('what Git ignores, secrets among it, goes into no image', () => {
  expect(readPatterns('.dockerignore')).toEqual(expect.arrayContaining(readPatterns('.gitignore')));
});

test('the image holds every file that the built server reads', () => {
  const dockerfile = readText('Dockerfile');
  for (const path of ['package.json', 'node_modules', 'dist', 'data', 'server/kernel/database/migrations']) {
    expect(dockerfile).toContain(`COPY --from=build /pitboard/${path} ./`);
  }
});

test('changelog and Kubernetes manifest name the version that package.json says', () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readText('package.json')));
  const [, latest] = /^## (\S+?),? /m.exec(readText('CHANGELOG.md')) ?? [];
  expect(latest).toBe(version);
  expect(readText('deploy/kubernetes.yaml')).toContain(`/pitboard:${version}\n`);
});
