// The service worker: it takes files that other apps share, says so where there is no connection, and keeps the page that records a
// drive. It keeps no other page and no answer of the server, so that nobody's board is older than the server's.

const OFFLINE_CACHE = 'offline-page';
const OFFLINE_PAGE = '/offline.html';
// As in contract/lap-file-cache.ts, from where the upload page reads them.
const LAP_FILE_CACHE = 'lap-files';
const LAP_FILE_FOLDER = '/lap-files-of-this-browser/';
// The page of a drive: one cache for each build, whose files scripts/list-drive-files.mjs names.
const DRIVE_CACHE_PREFIX = 'drive-page-';
const DRIVE_PAGE = '/drive';
const DRIVE_FILES = '/drive-files.json';
const ASSETS = '/assets/';
const NETWORK_PATIENCE_MS = 3_000;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  if (event.data !== 'keep-drive') return;
  const answer = (isKept) => event.ports[0]?.postMessage(isKept);
  event.waitUntil(
    keepDrive().then(
      () => answer(true),
      async () => answer((await findDrivePage()) !== undefined),
    ),
  );
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  // The address of `share_target` in site.webmanifest.
  if (request.method === 'POST' && pathname === '/share-target') event.respondWith(takeFiles(request));
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    event.respondWith(pathname === DRIVE_PAGE ? openDrive(event) : openPage(event));
  } else if (pathname.startsWith(ASSETS)) event.respondWith(findAsset(request));
});

async function install() {
  const cache = await caches.open(OFFLINE_CACHE);
  await cache.add(new Request(OFFLINE_PAGE, { cache: 'reload' }));
  await self.skipWaiting();
}

async function activate() {
  // The page is asked for while this worker starts: it costs a navigation no time.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function openPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE_PAGE)) ?? Response.error();
  }
}

/** Opens the page of a drive from the server, or what is kept of it where the server is not there or takes too long. */
async function openDrive(event) {
  const kept = await findDrivePage();
  if (kept === undefined) return openPage(event);
  const fromServer = async () => {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    return response.status < 500 ? response : kept;
  };
  const patience = new Promise((resolve) => setTimeout(resolve, NETWORK_PATIENCE_MS, kept));
  return Promise.race([fromServer().catch(() => kept), patience]);
}

async function findDrivePage() {
  for (const name of await listDriveCaches()) {
    const page = await (await caches.open(name)).match(DRIVE_PAGE, { ignoreVary: true });
    if (page !== undefined) return page;
  }
  return undefined;
}

/** Finds a script or style. The browser has most of them; those of the page of a drive are kept here too. */
async function findAsset(request) {
  try {
    return await fetch(request);
  } catch {
    for (const name of await listDriveCaches()) {
      const asset = await (await caches.open(name)).match(request, { ignoreVary: true });
      if (asset !== undefined) return asset;
    }
    return Response.error();
  }
}

async function listDriveCaches() {
  return (await caches.keys()).filter((name) => name.startsWith(DRIVE_CACHE_PREFIX));
}

/** Keeps the page of a drive as a guest sees it, with its scripts and styles, and removes that of another build. */
async function keepDrive() {
  const { version, files } = await (await fetch(DRIVE_FILES, { cache: 'no-store' })).json();
  const name = DRIVE_CACHE_PREFIX + version;
  const cache = await caches.open(name);
  if ((await cache.match(DRIVE_PAGE, { ignoreVary: true })) === undefined) {
    try {
      await cache.addAll(files);
      const page = await fetch(DRIVE_PAGE, { credentials: 'omit', cache: 'no-store' });
      const html = await page.clone().text();
      const used = html.match(/\/assets\/[\w.-]+/g) ?? [];
      // Servers of two builds may answer while one replaces the other.
      if (!page.ok || !used.every((file) => files.includes(file))) throw new Error('The build has changed.');
      // The page is last: where it is, all of its files are.
      await cache.put(DRIVE_PAGE, page);
    } catch (error) {
      await caches.delete(name);
      throw error;
    }
  }
  for (const other of await listDriveCaches()) if (other !== name) await caches.delete(other);
}

async function takeFiles(request) {
  const form = await request.formData();
  const cache = await caches.open(LAP_FILE_CACHE);
  for (const file of form.getAll('files')) {
    if (!(file instanceof File) || file.size === 0) continue;
    const headers = {
      'x-owner': '',
      'x-name': encodeURIComponent(file.name),
      'x-last-modified': String(file.lastModified),
      'x-kept-at': String(Date.now()),
    };
    await cache.put(`${LAP_FILE_FOLDER}shared-${crypto.randomUUID()}`, new Response(file, { headers }));
  }
  return Response.redirect('/upload', 303);
}
