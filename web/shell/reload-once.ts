const STORAGE_KEY = 'reloaded-at';
const RELOAD_AGAIN_AFTER_MS = 60_000;

/**
 * Reloads the page after a chunk of it could not be loaded: after a new release the old ones are gone. A second failure within
 * a minute is a real one and is left to the error boundary, and so is one of the connection. On the server, whose files an update
 * may replace while it runs, there is nothing to reload: the browser renders that page.
 */
export async function reloadOnce(): Promise<void> {
  if (typeof sessionStorage === 'undefined') return;
  const reloadedAt = Number(sessionStorage.getItem(STORAGE_KEY));
  if (Date.now() - reloadedAt < RELOAD_AGAIN_AFTER_MS) return;
  if (!(await isServerReachable())) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}

/** Reloads the page, unless the browser would show its own error instead. Returns true if the server answers. */
export async function reloadFromServer(): Promise<boolean> {
  const isThere = await isServerReachable();
  if (isThere) window.location.reload();
  return isThere;
}

async function isServerReachable(): Promise<boolean> {
  try {
    const { status } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
    return status < 500;
  } catch {
    return false;
  }
}
