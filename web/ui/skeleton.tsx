import { classNames } from './class-names.ts';
import styles from './skeleton.module.css';

type SkeletonProps = { width?: number | string; height?: number | string; className?: string | undefined };

/** Shows a grey shape while content loads. Screen readers ignore it, so say elsewhere in text what is loading. */
export function Skeleton({ width = '100%', height = 16, className }: SkeletonProps) {
  return (
    <span
      className={classNames(styles['skeleton'], className)}
      style={{ width, height }}
      aria-hidden="true"
    />
  );
}
