import { useSyncExternalStore } from 'react';

const dialogs: HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

/** Opens a modal dialog and remembers it; gives what closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  dialogs.push(dialog);
  notifyListeners();
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1);
    notifyListeners();
    dialog.close();
  };
}

/** The modal dialog on top; null while none is open. Whatever lies outside of it can be neither read nor reached. */
export function useTopDialog(): HTMLDialogElement | null {
  return useSyncExternalStore(
    subscribe,
    () => dialogs.at(-1) ?? null,
    () => null,
  );
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * A `ref` for the element in a dialog that gets the focus first. React's own `autoFocus` comes too early for a dialog
 * that is about to open: the browser looks for the attribute, which React does not write.
 */
export function focusInDialog(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '');
  // In a dialog that is open already, nobody looks for the attribute any more.
  element?.focus();
}

/**
 * Keeps `--covered` of an element at the height that a keyboard on the screen covers of the window. Browsers of phones show
 * theirs over the page, so what stands at the lower edge would lie below it. Gives what ends it.
 */
export function keepAboveKeyboard(element: HTMLElement): () => void {
  const seen = window.visualViewport;
  if (!seen) return () => undefined;
  const listening = new AbortController();
  const place = () => {
    const hiddenPx = document.documentElement.clientHeight - seen.offsetTop - seen.height;
    // Whoever has zoomed in with two fingers sees less, but nothing is covered.
    const coveredPx = seen.scale > 1.01 ? 0 : Math.max(0, hiddenPx);
    element.style.setProperty('--covered', `${coveredPx}px`);
  };
  for (const type of ['resize', 'scroll']) seen.addEventListener(type, place, { signal: listening.signal });
  place();
  return () => listening.abort();
}
