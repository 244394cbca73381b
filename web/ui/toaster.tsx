import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { toast as sonnerToast, Toaster as SonnerToaster } from 'sonner';
import { useTopDialog } from './modals.ts';
import { useTheme } from './theme.ts';
import './toaster.css';
import { connectToaster, forgetToast, type Toast } from './toasts.ts';

// One id for all: a new toast replaces the last one.
const ONLY_TOAST = 'toast';
const TOAST_DURATION_MS = 1_000_000;

/**
 * Renders the toasts; its own chunk, because most visits never see one. While a dialog is open they are part of it, since
 * nothing outside can be read or clicked; a toast on screen then moves, and is announced again.
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

/** Whether a media query matches, kept up to date. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
