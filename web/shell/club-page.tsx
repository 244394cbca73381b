import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mayAdminister, mayModerate } from '#contract/people/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { useWaiting, waitingQuery } from '#web/api/waiting.ts';
import { Page, PageTitle } from '#web/ui/page.tsx';
import { SectionLinks } from '#web/ui/section-links.tsx';
import { AdminOnly } from './admin-only.tsx';
import styles from './club-page.module.css';

const methodsQuery = apiQuery('GET /api/auth/sign-in-methods');

type Viewer = NonNullable<Awaited<PageVisit['user']>>;

/** Fetches the frame of a page of the club together with what the page itself needs; nothing for those who may not see it. */
export async function prefetchClubPage(
  queryClient: QueryClient,
  { user }: PageVisit,
  prefetch: (viewer: Viewer) => readonly Promise<void>[] = () => [],
): Promise<void> {
  const viewer = await user;
  if (!viewer || !mayModerate(viewer)) return;
  await Promise.all([
    queryClient.prefetchQuery(methodsQuery),
    queryClient.prefetchQuery(waitingQuery),
    ...prefetch(viewer),
  ]);
}

type ClubPageProps = {
  /** The title of the tab; a heading for those who may not see the page. */
  title: string;
  /** True if moderators see the page, too. */
  forModerators?: boolean;
  deniedTitle?: string;
  deniedText?: string;
  deniedAction?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
};

/** Shows a page of those who run the club: its name, and links to the other pages that the viewer may see. */
export function ClubPage({
  title,
  action,
  children,
  deniedTitle = 'Access Denied',
  ...access
}: ClubPageProps) {
  const { user } = useCurrentUser();
  const clubName = useQuery({ ...methodsQuery, enabled: mayModerate(user) }).data?.clubName ?? 'Club';
  const maySee = access.forModerators ? mayModerate(user) : mayAdminister(user);
  return (
    <Page>
      <div className={styles['head']}>
        <PageTitle documentTitle={title}>
          {maySee ? clubName : title}
          {maySee && <span className="visually-hidden">: {title}</span>}
        </PageTitle>
        {maySee && action}
      </div>
      {mayModerate(user) && <ClubLinks />}
      <AdminOnly {...access} deniedTitle={deniedTitle}>
        {children}
      </AdminOnly>
    </Page>
  );
}

const EVENTS = { href: '/club/events', label: 'Events', count: 0 };

function ClubLinks() {
  const { user } = useCurrentUser();
  const { flags, appeals, tracks, cars } = useWaiting();
  const forModerators = [
    { href: '/club/moderation', label: 'Moderation', count: flags + appeals },
    { href: '/admin/import-tracks', label: 'Tracks', count: tracks },
  ];
  const links = mayAdminister(user)
    ? [
        { href: '/club/people', label: 'People', count: 0 },
        ...forModerators,
        { href: '/admin/apex-import', label: 'Cars', count: cars },
        EVENTS,
        { href: '/club/operations', label: 'Operations', count: 0 },
        { href: '/club/audit', label: 'Audit', count: 0 },
      ]
    : [...forModerators, EVENTS];
  return <SectionLinks label="Club" links={[{ href: '/club', label: 'Overview', count: 0 }, ...links]} />;
}
