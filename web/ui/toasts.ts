/** A short message about the last action. One is shown at a time. */
export type Toast = {
  title: string;
  description?: string;
  destructive?: boolean;
  /** True for information that is neither a success nor a failure. */
  neutral?: boolean;
  /** The toast offers 'Undo', or `label`, for so long; such a toast stays on the next page. */
  undo?: { label?: string; run: () => void; seconds: number };
};

type Toaster = { show: (toast: Toast, shownForMs: number) => void; hide: () => void };

let toaster: Toaster | undefined;
let current: { toast: Toast; shownAtMs: number } | undefined;

// A toast that is shown just before a navigation belongs to the next page: 'Car added!'.
const BELONGS_TO_NEXT_PAGE_MS = 1_000;

/** Shows a toast and hides the one before, above an open dialog too. */
export function showToast(toast: Toast): void {
  current = { toast, shownAtMs: performance.now() };
  toaster?.show(toast, 0);
}

/** Returns whether this toast is the one on screen. */
export function isShown(toast: Toast): boolean {
  return current?.toast === toast;
}

export function clearToast(): void {
  current = undefined;
}

export function leaveToastsBehind(): void {
  if (!current || current.toast.undo) return;
  if (performance.now() - current.shownAtMs >= BELONGS_TO_NEXT_PAGE_MS) hideToast();
}

/** Hides a toast whose advice is being followed. */
export function hideToast(): void {
  current = undefined;
  toaster?.hide();
}

/** Connects the toaster, which is mounted again with each dialog, to the current toast; returns what ends it. */
export function connectToaster(connected: Toaster): () => void {
  toaster = connected;
  if (current) connected.show(current.toast, performance.now() - current.shownAtMs);
  return () => {
    if (toaster === connected) toaster = undefined;
  };
}
