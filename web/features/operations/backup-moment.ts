import { formatExactMoment } from '#web/ui/format.ts';

/** Reads the moment of 'backup-20260607-022300-000'. Two backups may have the same minute. */
export function backupMoment(name: string): string {
  return formatExactMoment(
    name.replace(/^backup-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-.*$/, '$1-$2-$3T$4:$5:$6'),
  );
}
