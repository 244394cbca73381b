/** A short message about the last action. One is shown at a time. */
export type Toast = {
  title: string;
  description?: string;
  destructive?: boolean;
  /** True for information that is neither a success nor a failure. */
  neutral?: boolean;
};

type Toaster = { show: (toast: Toast) => void; hide: () => void };

let toaster: Toaster | undefined;
let current: { toast: Toast; shownAtMs: number } | undefined;

// A toast that is shown just before a navigation belongs to the next page: 'Car added!'.
const BELONGS_TO_NEXT_PAGE_MS = 1_000;

/** Shows a toast and hides the one before, above an open dialog too. */
export function showToast(toast: Toast): void {
  current = { toast, shownAtMs: performance.now() };
  toaster?.show(toast);
}

/** Clears the toast after it was closed. */
export function clearToast(): void {
  current = undefined;
}

/** Hides the toasts of the previous page. */
export function leaveToastsBehind(): void {
  if (current && performance.now() - current.shownAtMs >= BELONGS_TO_NEXT_PAGE_MS) hideToast();
}

/** Hides a toast whose advice is being followed. */
export function hideToast(): void {
  current = undefined;
  toaster?.hide();
}

/**
 * Connects the toaster, which is loaded after the page and mounted again when a dialog opens or closes, and shows it the
 * current toast. Returns what disconnects it.
 */
export function connectToaster(connected: Toaster): () => void {
  toaster = connected;
  if (current) connected.show(current.toast);
  return () => {
    if (toaster === connected) toaster = undefined;
  };
}
