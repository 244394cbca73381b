import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { Dialog } from '#web/ui/dialog.tsx';

const TITLES = {
  server: 'Server',
  backups: 'Backups',
  mail: 'E-mail',
  webhooks: 'Webhooks',
  club: 'Club',
};

type Subject = keyof typeof TITLES;

/** Opens what the URL names in `open` as a dialog, so that a link leads to it and Back closes it. */
export function SetUpDialog({ contents }: { contents: Readonly<Record<Subject, ReactNode>> }) {
  const [search, setSearch] = useSearchParams();
  const open = search.get('open');
  if (!isSubject(open)) return null;
  return (
    <Dialog width="form" title={TITLES[open]} onClose={() => setSearch({}, { replace: true })}>
      {contents[open]}
    </Dialog>
  );
}

function isSubject(name: string | null): name is Subject {
  return name !== null && Object.hasOwn(TITLES, name);
}
