import { create } from 'zustand';

const useOpenDialogs = create<readonly HTMLDialogElement[]>(() => []);

/** Opens a modal dialog. Returns what closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  useOpenDialogs.setState((dialogs) => [...dialogs, dialog], true);
  return () => {
    useOpenDialogs.setState((dialogs) => dialogs.filter((open) => open !== dialog), true);
    dialog.close();
  };
}

/** Returns the modal dialog on top, outside of which nothing can be read or clicked; null while none is open. */
export function useTopDialog(): HTMLDialogElement | null {
  return useOpenDialogs((dialogs) => dialogs.at(-1) ?? null);
}

/** Focuses an element first in a dialog, as its `ref`: an `autoFocus` is not written to the attribute that browsers read. */
export function focusInDialog(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '');
  // The attribute has no effect in a dialog that is open already.
  element?.focus();
}

/** Keeps `--covered` at the height that a phone's keyboard covers of the window. Returns what ends it. */
export function keepAboveKeyboard(element: HTMLElement): () => void {
  const viewport = window.visualViewport;
  if (!viewport) return () => undefined;
  const listening = new AbortController();
  const update = () => {
    const hiddenPx = document.documentElement.clientHeight - viewport.offsetTop - viewport.height;
    // Zooming in with two fingers hides a part of the page as well, but covers nothing.
    const coveredPx = viewport.scale > 1.01 ? 0 : Math.max(0, hiddenPx);
    element.style.setProperty('--covered', `${coveredPx}px`);
  };
  for (const type of ['resize', 'scroll']) {
    viewport.addEventListener(type, update, { signal: listening.signal });
  }
  update();
  return () => listening.abort();
}
