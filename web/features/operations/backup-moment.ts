/** When a backup was made, by its name: 'backup-20260607-022300-000' is '2026-06-07 02:23:00'. Two may be of one minute. */
export function backupMoment(name: string): string {
  return name.replace(/^backup-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-.*$/, '$1-$2-$3 $4:$5:$6');
}
