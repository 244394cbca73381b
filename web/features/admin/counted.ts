import { formatCount } from '#web/ui/format-count.ts';

/** A number with its noun: '1 track', '10,000 tracks'. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
