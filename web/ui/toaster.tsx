import { useEffect, useRef } from 'react';
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
// toaster.css makes room, or at the lower edge of a dialog, whose title stays visible; on wide screens in the empty middle of the
// header, or beside the dialog.
function ToastLayer({ dialog }: { dialog: HTMLDialogElement | null }) {
  const layer = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery('(max-width: 640px)');
  useEffect(() => {
    layer.current?.showPopover();
    return connectToaster({ show, hide: () => sonnerToast.dismiss(ONLY_TOAST) });
  }, []);
  return (
    <div ref={layer} popover="manual" className="toast-layer">
      <SonnerToaster
        theme={useTheme()}
        position={dialog === null ? 'top-center' : isPhone ? 'bottom-center' : 'bottom-right'}
        offset={{ top: '6px', right: '8px' }}
        mobileOffset={{ top: 'calc(var(--header) + 8px)', bottom: phoneBottom(dialog) }}
        visibleToasts={1}
        duration={TOAST_DURATION_MS}
        closeButton
        toastOptions={{ closeButtonAriaLabel: 'Close' }}
      />
    </div>
  );
}

/** Returns the distance from the lower edge on phones, which leaves the buttons of a dialog free. */
function phoneBottom(dialog: HTMLDialogElement | null): string {
  const hasFooter = dialog !== null && dialog.querySelector('[data-footer]') !== null;
  return hasFooter ? 'calc(80px + env(safe-area-inset-bottom))' : '16px';
}

function show({ title, description, destructive, neutral, undo }: Toast, shownForMs: number): void {
  const options = {
    id: ONLY_TOAST,
    description,
    onDismiss: clearToast,
    onAutoClose: clearToast,
    // A value for each, because a toast keeps those of the one that it replaces.
    action: undo && { label: 'Undo', onClick: undo.run },
    duration: undo ? 1_000 * undo.seconds - shownForMs : TOAST_DURATION_MS,
  };
  if (destructive) sonnerToast.error(title, options);
  else if (neutral) sonnerToast.info(title, options);
  else sonnerToast.success(title, options);
}
