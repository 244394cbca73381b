/**
 * A `ref` for the element in a dialog that gets the focus first. React's own `autoFocus` comes too early for a dialog
 * that is about to open: the browser looks for the attribute, which React does not write.
 */
export function focusInDialog(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '');
  // In a dialog that is open already, nobody looks for the attribute any more.
  element?.focus();
}
