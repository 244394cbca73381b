import { useSyncExternalStore } from 'react';

const dialogs: HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

/** Opens a modal dialog and remembers it; gives what closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  dialogs.push(dialog);
  tellAll();
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1);
    tellAll();
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

function tellAll(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
