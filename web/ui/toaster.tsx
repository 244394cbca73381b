import { useEffect, useRef, type MouseEvent } from 'react';
import { createPortal } from 'react-dom';
import { toast as sonnerToast, Toaster as SonnerToaster } from 'sonner';
import { useTopDialog } from './modals.ts';
import { useTheme } from './theme.ts';
import './toaster.css';
import { connectToaster, clearToast, type Toast } from './toasts.ts';
import { useMediaQuery } from './use-media-query.ts';

// All toasts share one id, so that a new toast replaces the last one.
const ONLY_TOAST = 'toast';
const TOAST_DURATION_MS = 1_000_000;

/**
 * Renders the toasts; its own chunk, because most visits never see one. While a dialog is open they are part of it, since
 * nothing outside can be read or clicked; a toast on screen then moves, and is announced again.
 */
export function Toaster() {
  const dialog = useTopDialog();
  return createPortal(<ToastLayer dialog={dialog} />, dialog ?? document.body);
}

// A popover is above everything that was opened before it, whatever contains it. On phones a toast is below the header, where
// toaster.css makes room, or above a dialog, which makes room as well; on wide screens in the empty middle of the header, or
// beside the dialog.
function ToastLayer({ dialog }: { dialog: HTMLDialogElement | null }) {
  const layer = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery('(max-width: 640px)');
  useEffect(() => {
    layer.current?.showPopover();
    return connectToaster({ show, hide: () => sonnerToast.dismiss(ONLY_TOAST) });
  }, []);
  useEffect(() => (dialog && layer.current ? makeRoom(dialog, layer.current) : undefined), [dialog]);
  return (
    <div ref={layer} popover="manual" className="toast-layer">
      <SonnerToaster
        theme={useTheme()}
        position={dialog === null || isPhone ? 'top-center' : 'bottom-right'}
        offset={{ top: '6px', right: '8px' }}
        mobileOffset={{ top: dialog === null ? 'calc(var(--header) + 8px)' : '8px' }}
        visibleToasts={1}
        duration={TOAST_DURATION_MS}
        closeButton
        toastOptions={{ closeButtonAriaLabel: 'Close' }}
      />
    </div>
  );
}

/** Keeps `--toast` of a dialog at the height of the toast. Returns what ends it. */
function makeRoom(dialog: HTMLDialogElement, layer: HTMLElement): () => void {
  const update = () => {
    // The library measures it.
    const list = layer.querySelector<HTMLElement>('[data-sonner-toaster]');
    dialog.style.setProperty('--toast', list?.style.getPropertyValue('--front-toast-height') ?? '0px');
  };
  const observer = new MutationObserver(update);
  observer.observe(layer, { subtree: true, childList: true, attributeFilter: ['style'] });
  update();
  return () => {
    observer.disconnect();
    dialog.style.removeProperty('--toast');
  };
}

/** Keeps the toast until the answer replaces it: a toast that is closing would take the one with the answer along. */
function keepUntilAnswered(run: () => void): (event: MouseEvent) => void {
  return (event) => {
    event.preventDefault();
    run();
  };
}

function show({ title, description, destructive, neutral, undo }: Toast, shownForMs: number): void {
  const options = {
    id: ONLY_TOAST,
    description,
    onDismiss: clearToast,
    onAutoClose: clearToast,
    // A value for each, because a toast keeps those of the one that it replaces.
    action: undo && { label: undo.label ?? 'Undo', onClick: keepUntilAnswered(undo.run) },
    duration: undo ? 1_000 * undo.seconds - shownForMs : TOAST_DURATION_MS,
  };
  if (destructive) sonnerToast.error(title, options);
  else if (neutral) sonnerToast.info(title, options);
  else sonnerToast.success(title, options);
}
