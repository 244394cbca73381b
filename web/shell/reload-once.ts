const STORAGE_KEY = 'reloaded-at';
const RELOAD_AGAIN_AFTER_MS = 60_000;

/**
 * After a new release the old chunks are gone. The first one that cannot be loaded reloads the page, which brings the new ones.
 * The error boundary shows a second failure within a minute, and a lost connection.
 */
export function reloadOnceOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', () => void reloadOnce());
}

/** Reloads the page if the server can be reached, since the browser would show its own error otherwise. Returns whether it can. */
export async function reloadFromServer(): Promise<boolean> {
  const isReachable = await isServerReachable();
  if (isReachable) window.location.reload();
  return isReachable;
}

async function reloadOnce(): Promise<void> {
  const reloadedAt = Number(sessionStorage.getItem(STORAGE_KEY));
  if (Date.now() - reloadedAt < RELOAD_AGAIN_AFTER_MS) return;
  if (!(await isServerReachable())) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}

async function isServerReachable(): Promise<boolean> {
  try {
    const { status } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
    return status < 500;
  } catch {
    return false;
  }
}
