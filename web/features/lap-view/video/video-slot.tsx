import Video from 'lucide-react/icons/video';
import { lazy, Suspense, useState, type ComponentProps } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { VideoPanel } from './video-panel.tsx';
import styles from './video-slot.module.css';

// Few readers have a video, so nothing of it is in the view of laps but this button.
const LazyPanel = lazy(async () => ({ default: (await import('./video-panel.tsx')).VideoPanel }));

/** Opens the videos of laps in the view of laps. */
export function VideoSlot(props: Omit<ComponentProps<typeof VideoPanel>, 'onClose'>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles['slot']} data-open={isOpen}>
      {isOpen ? (
        <Suspense fallback={<Skeleton height={280} />}>
          <LazyPanel {...props} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : (
        <Button size="small" onClick={() => setIsOpen(true)}>
          <Video size={16} aria-hidden="true" />
          Watch the video
        </Button>
      )}
    </div>
  );
}
