/** Reads '2026-06-07 02:23:00' of 'backup-20260607-022300-000'. Two backups may have the same minute. */
export function backupMoment(name: string): string {
  return name.replace(/^backup-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-.*$/, '$1-$2-$3 $4:$5:$6');
}
