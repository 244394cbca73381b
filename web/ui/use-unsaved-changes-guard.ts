import { useEffect } from 'react';

/** Has the browser ask before the tab is closed or loaded anew. */
export function useUnsavedChangesGuard(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAsked]);
}
