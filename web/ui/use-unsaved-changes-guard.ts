import { useEffect } from 'react';

/** Makes the browser ask before the tab is closed or reloaded, as long as it is set, or another one is. */
export class UnloadGuard {
  set(asks: boolean): void {
    if (asks) window.addEventListener('beforeunload', this);
    else window.removeEventListener('beforeunload', this);
  }

  handleEvent(event: Event): void {
    event.preventDefault();
  }
}

/** Makes the browser ask before the tab is closed or reloaded. */
export function useUnsavedChangesGuard(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return undefined;
    const guard = new UnloadGuard();
    guard.set(true);
    return () => guard.set(false);
  }, [hasChanges]);
}
