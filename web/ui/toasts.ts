/** A short message about what has just happened. One is shown at a time, until it is closed or replaced. */
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
let waiting: Toast | undefined;

/**
 * Shows a toast in place of the one before. While a modal dialog is open nobody can reach a toast, so close the dialog
 * first or say it in the dialog.
 */
export function showToast(toast: Toast): void {
  if (show) show(toast);
  else waiting = toast;
}

/** Connects what draws the toasts; it is loaded after the page. Gives what disconnects it. */
export function connectToaster(showNow: Show): () => void {
  show = showNow;
  if (waiting) showNow(waiting);
  waiting = undefined;
  return () => {
    show = undefined;
  };
}
