/**
 * Starts the service worker, which takes shared lap files and has a page for times without a connection. Only for drivers: on the upload
 * page, and in the installed app. Vite's own server has none.
 */
export async function startServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
}
