/** A short message about what has just happened. One is shown at a time. */
export type Toast = {
  title: string;
  description?: string;
  /** Something failed. */
  destructive?: boolean;
  /** Neither a success nor a failure: something to know. */
  neutral?: boolean;
};

type Show = (toast: Toast) => void;

let show: Show | undefined;
let current: Toast | undefined;

/** Shows a toast and hides the one before, above an open dialog too. */
export function showToast(toast: Toast): void {
  current = toast;
  show?.(toast);
}

/** The toast has been closed. */
export function forgetToast(): void {
  current = undefined;
}

/**
 * Connects the toaster, which is loaded after the page and mounted again when a dialog opens or closes, and shows it the
 * current toast. Returns what disconnects it.
 */
export function connectToaster(showNow: Show): () => void {
  show = showNow;
  if (current) showNow(current);
  return () => {
    if (show === showNow) show = undefined;
  };
}
