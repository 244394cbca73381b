/**
 * Starts the service worker, which takes shared lap files and has a page for times without a connection. Only for drivers: on the upload
 * page, and in the installed app. Vite's own server has none.
 */
export async function startServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
}

/** Lets the service worker keep the page that records a drive. Returns true once that page opens without a network. */
export async function keepDrivePage(): Promise<boolean> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return false;
  await startServiceWorker();
  const { active } = await navigator.serviceWorker.ready;
  if (active === null) return false;
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data === true), { once: true });
    port1.start();
    active.postMessage('keep-drive', [port2]);
  });
}
