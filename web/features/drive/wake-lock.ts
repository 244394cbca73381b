/** Keeps the screen on. The browser lets go of the lock when the page is hidden, so it is taken again when the page is seen. */
export function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isWanted = true;
  const take = async () => {
    if (!isWanted || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    // A low battery may refuse it: then the screen goes by the phone's own settings.
    const taken = await navigator.wakeLock.request('screen').catch(() => null);
    if (isWanted) lock = taken;
    else await taken?.release();
  };
  const onVisible = () => void take();
  document.addEventListener('visibilitychange', onVisible);
  void take();
  return () => {
    isWanted = false;
    document.removeEventListener('visibilitychange', onVisible);
    void lock?.release();
  };
}
