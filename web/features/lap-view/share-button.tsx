import { Share2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toasts.ts';

/** Shares the URL of the page with the device's share menu, or copies it if there is none. */
export function ShareButton({ title }: { title: string }) {
  return (
    <Button onClick={() => void share(title)}>
      <Share2 size={18} aria-hidden="true" />
      Share
    </Button>
  );
}

async function share(title: string): Promise<void> {
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
