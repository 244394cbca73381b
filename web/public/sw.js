// The service worker: it takes files that other apps share, and says so where there is no connection. It keeps no page and no
// answer of the server, so that nobody's board is older than the server's.

const OFFLINE_CACHE = 'offline-page';
const OFFLINE_PAGE = '/offline.html';
// As in contract/lap-file-cache.ts, from where the upload page reads them.
const LAP_FILE_CACHE = 'lap-files';
const LAP_FILE_FOLDER = '/lap-files-of-this-browser/';

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  // The address of `share_target` in site.webmanifest.
  if (request.method === 'POST' && pathname === '/share-target') event.respondWith(takeFiles(request));
  else if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(openPage(event));
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
