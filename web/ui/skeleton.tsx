import styles from './skeleton.module.css';
import { classNames } from './class-names.ts';

type SkeletonProps = { width?: number | string; height?: number | string; className?: string };

/** A grey shape that keeps the place of something still loading. Say in words elsewhere that it is loading. */
export function Skeleton({ width = '100%', height = 16, className }: SkeletonProps) {
  return (
    <span
      className={classNames(styles['skeleton'], className)}
      style={{ width, height }}
      aria-hidden="true"
    />
  );
}
