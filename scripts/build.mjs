import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, ensureInstalled, projectFolder } from './install.mjs';

// The built files depend on these sources, without the tests among them.
const SOURCES = [
  'engine',
  'contract',
  'server',
  'web',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build.mjs',
  'scripts/compress-files.mjs',
  'scripts/list-drive-files.mjs',
];
const IGNORED = /\.test\.tsx?$|[/\\](testing|fixtures|migrations)[/\\]/;

const hashFile = join(projectFolder, 'dist', '.build-hash');

/** Builds the server and the web client into dist, unless they were built from the same sources. */
export function ensureBuilt() {
  const hash = hashSources();
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hash) return;
  console.log('Building …');
  rmSync(hashFile, { force: true });
  // A separate process frees the builders' memory at its end, and builds for production whatever NODE_ENV is here.
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--now'], {
    cwd: projectFolder,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0) end(`${stdout}${stderr}Pitboard could not be built; the messages above say why.`);
  mkdirSync(join(projectFolder, 'dist'), { recursive: true });
  writeFileSync(hashFile, hash);
}

function hashSources() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(listFiles).toSorted((a, b) => (a < b ? -1 : 1))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(projectFolder, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(path) {
  const folder = join(projectFolder, path);
  if (statSync(folder).isFile()) return [path];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectFolder.length))
    .filter((file) => !IGNORED.test(file));
}

async function build() {
  await Promise.all([buildServer(), buildWeb()]);
}

/** Builds one file per process and worker thread, with shared code in chunks; packages stay in node_modules. */
async function buildServer() {
  const { build } = await import('esbuild');
  const outputFolder = join(projectFolder, 'dist', 'server');
  rmSync(outputFolder, { recursive: true, force: true });
  await build({
    absWorkingDir: projectFolder,
    entryPoints: [
      'server/main.ts',
      ...listEntries('server', '-command.ts'),
      ...listEntries('server', '-worker.ts'),
    ],
    outbase: 'server',
    outdir: outputFolder,
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
  });
}

function listEntries(folder, ending) {
  return listFiles(folder).filter((path) => path.endsWith(ending));
}

async function buildWeb() {
  const { build } = await import('vite');
  const { compressFiles } = await import('./compress-files.mjs');
  const { writeDriveFiles } = await import('./list-drive-files.mjs');
  const configFile = join(projectFolder, 'web', 'vite.config.ts');
  const outDir = join(projectFolder, 'dist', 'web-server');
  await build({ configFile, logLevel: 'warn' });
  // The server renders the same pages before it sends them, so they are built for it too.
  await build({
    configFile,
    logLevel: 'warn',
    build: { ssr: 'render.tsx', outDir, manifest: false, copyPublicDir: false },
  });
  writeDriveFiles(join(projectFolder, 'dist', 'web'));
  await compressFiles(join(projectFolder, 'dist', 'web', 'assets'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--now')) {
    await build();
  } else {
    ensureInstalled();
    ensureBuilt();
  }
}
