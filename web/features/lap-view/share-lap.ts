import { showToast } from '#web/ui/toasts.ts';

/** Shares the URL of the page with the device's share menu, or copies it if there is none. */
export async function shareLap(title: string): Promise<void> {
  const url = window.location.href;
  try {
    // Desktop browsers have it as well, but show an uncommon window.
    if ('share' in navigator && window.matchMedia('(pointer: coarse)').matches) {
      await navigator.share({ title, url });
      return;
    }
    await navigator.clipboard.writeText(url);
    showToast({ title: 'Link Copied', description: title });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    showToast({ title: 'Link Not Copied', description: url, destructive: true });
  }
}
