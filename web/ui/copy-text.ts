import { showToast } from './toasts.ts';

/** Copies what the toasts call `what`. Browsers refuse that to pages without https, where it is selected by hand. */
export async function copyText(what: string, text: string, description?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ title: `${what} Copied`, ...(description !== undefined && { description }) });
  } catch {
    showToast({ title: `${what} Not Copied`, description: 'Select and copy it by hand.', destructive: true });
  }
}
