import { formatFileSize } from './lap-file-queue.ts';
import type { VideoProgress } from './upload-state.ts';
import styles from './lap-file-list.module.css';

/** The videos whose positions are being read, and what was read of those before. */
export function VideoList({ videos }: { videos: readonly VideoProgress[] }) {
  return (
    <ul aria-label="Videos" aria-live="polite" className={styles['videos']} hidden={videos.length === 0}>
      {videos.map(({ name, share, bytesRead, sizeBytes }) => (
        <li key={name}>
          {share < 1 ? (
            <label>
              Reading the GPS of {name}… <progress value={share} />
            </label>
          ) : (
            `GPS of ${name}: ${formatFileSize(bytesRead)} of ${formatFileSize(sizeBytes)} read. The video stays on your device.`
          )}
        </li>
      ))}
    </ul>
  );
}
