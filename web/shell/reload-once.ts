const STORAGE_KEY = 'reloaded-at';
const RELOAD_AGAIN_AFTER_MS = 60_000;

/**
 * After a new release the old chunks are gone. The first one that cannot be loaded reloads the page, which brings the new ones;
 * a second failure within a minute is a real one and is left to the error boundary.
 */
export function reloadOnceOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const reloadedAt = Number(sessionStorage.getItem(STORAGE_KEY));
    if (Date.now() - reloadedAt < RELOAD_AGAIN_AFTER_MS) return;
    event.preventDefault();
    sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
    window.location.reload();
  });
}
