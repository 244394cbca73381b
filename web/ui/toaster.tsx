import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as SonnerToaster, toast as sonnerToast } from 'sonner';
import { useTopDialog } from './open-dialogs.ts';
import { useTheme } from './theme.ts';
import './toaster.css';
import { connectToaster, forgetToast, type Toast } from './toasts.ts';
import { useMediaQuery } from './use-media-query.ts';

// One id for all: a new toast takes the place of the last one.
const ONLY_TOAST = 'toast';
const TOAST_DURATION_MS = 1_000_000;

/**
 * Draws the toasts; its own chunk, because most visits never see one. While a dialog is open they are part of it, as the
 * browser lets nobody read or reach anything else; a toast that is on screen then moves, and is announced again.
 */
export function Toaster() {
  const dialog = useTopDialog();
  // The lower edge belongs to the buttons of a page or dialog, the upper edge to the title of a dialog and what closes it.
  const isLowerEdgeFree = dialog?.querySelector('[data-footer]') === null;
  return createPortal(<ToastLayer isLowerEdgeFree={isLowerEdgeFree} />, dialog ?? document.body);
}

// A popover lies above everything that was opened before it, whatever contains it.
function ToastLayer({ isLowerEdgeFree }: { isLowerEdgeFree: boolean }) {
  const layer = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery('(max-width: 640px)');
  useEffect(() => {
    layer.current?.showPopover();
    return connectToaster(show);
  }, []);
  return (
    <div ref={layer} popover="manual" className="toast-layer">
      <SonnerToaster
        theme={useTheme()}
        position={isPhone ? phonePosition(isLowerEdgeFree) : 'bottom-right'}
        mobileOffset={{ top: 'calc(var(--header) + 8px)' }}
        visibleToasts={1}
        duration={TOAST_DURATION_MS}
        closeButton
        toastOptions={{ closeButtonAriaLabel: 'Close' }}
      />
    </div>
  );
}

function phonePosition(isLowerEdgeFree: boolean): 'top-center' | 'bottom-center' {
  return isLowerEdgeFree ? 'bottom-center' : 'top-center';
}

function show({ title, description, destructive, neutral }: Toast): void {
  const options = { id: ONLY_TOAST, description, onDismiss: forgetToast };
  if (destructive) sonnerToast.error(title, options);
  else if (neutral) sonnerToast.info(title, options);
  else sonnerToast.success(title, options);
}
