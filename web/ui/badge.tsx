import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.ts';

/** `best` is the fastest of all drivers, `pb` a personal best or done, `warn` needs attention, `bad` failed. */
export type BadgeTone = 'neutral' | 'outline' | 'accent' | 'best' | 'pb' | 'warn' | 'bad';

type BadgeProps = { tone?: BadgeTone; className?: string | undefined; children: ReactNode };

export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
  return <span className={classNames(styles['badge'], styles[tone], className)}>{children}</span>;
}
