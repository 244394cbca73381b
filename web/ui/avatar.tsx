import { useState } from 'react';
import styles from './avatar.module.css';

type AvatarProps = {
  src: string | null;
  letters: string;
  size?: number;
};

/** Shows a driver's image, or letters. The name is always next to it, so it is hidden from screen readers. */
export function Avatar({ src, letters, size = 28 }: AvatarProps) {
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null);
  const showsPicture = Boolean(src) && src !== brokenSrc;
  return (
    <span
      className={styles['avatar']}
      style={{ width: size, height: size, fontSize: Math.max(11, Math.round(size * 0.38)) }}
      aria-hidden="true"
    >
      {showsPicture && src ? (
        <img src={src} alt="" width={size} height={size} loading="lazy" onError={() => setBrokenSrc(src)} />
      ) : (
        letters
      )}
    </span>
  );
}
