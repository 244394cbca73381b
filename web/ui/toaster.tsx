import { useEffect } from 'react';
import { Toaster as SonnerToaster, toast as sonnerToast } from 'sonner';
import { useTheme } from './theme.ts';
import './toaster.css';
import { connectToaster, type Toast } from './toasts.ts';
import { useMediaQuery } from './use-media-query.ts';

// One id for all: a new toast takes the place of the last one.
const ONLY_TOAST = 'toast';
const TOAST_DURATION_MS = 1_000_000;

/** Draws the toasts; its own chunk, because most visits never see one. */
export function Toaster() {
  const isPhone = useMediaQuery('(max-width: 640px)');
  useEffect(() => connectToaster(show), []);
  return (
    <SonnerToaster
      theme={useTheme()}
      // On phones the lower edge belongs to the page's own buttons.
      position={isPhone ? 'top-center' : 'bottom-right'}
      mobileOffset={{ top: 'calc(var(--header) + 8px)' }}
      visibleToasts={1}
      duration={TOAST_DURATION_MS}
      closeButton
      toastOptions={{ closeButtonAriaLabel: 'Close' }}
    />
  );
}

function show({ title, description, destructive, neutral }: Toast): void {
  const options = { id: ONLY_TOAST, description };
  if (destructive) sonnerToast.error(title, options);
  else if (neutral) sonnerToast.info(title, options);
  else sonnerToast.success(title, options);
}
