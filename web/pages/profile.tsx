import { useQuery, type QueryClient } from '@tanstack/react-query';
import UserRoundX from 'lucide-react/icons/user-round-x';
import { useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import type { SessionId, TrackId, UserId } from '#contract/ids.ts';
import { formatDisplayName, formatUsername } from '#contract/people/labels.ts';
import type { User } from '#contract/people/schemas.ts';
import { ApiError } from '#web/api/api-error.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { sessionsQuery } from '#web/api/session-queries.ts';
import { bestsByCarQuery, ownCarsQuery } from '#web/features/garage/garage-queries.ts';
import { GarageTab } from '#web/features/garage/garage-tab.tsx';
import { SavedComparisons } from '#web/features/lap-view/saved-comparisons.tsx';
import { ProfileHeader, type ShownDriver } from '#web/features/profile/profile-header.tsx';
import { driverQuery, totalCountQuery, useTrackVisits } from '#web/features/profile/profile-queries.ts';
import { findBestLapId } from '#web/features/profile/track-history.ts';
import { TracksTab } from '#web/features/profile/tracks-tab.tsx';
import { DriverTrack } from '#web/features/progress/driver-track.tsx';
import { driverLapsQuery } from '#web/features/progress/progress-queries.ts';
import { EditSession } from '#web/features/sessions/edit-session.tsx';
import { SignedIn } from '#web/shell/signed-in.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { isTrackId } from '#web/ui/url-ids.ts';
import styles from './profile.module.css';

const PENDING_TEXT = 'Loading profile...';

/** Fetches the viewer's own garage or the driver named in the path, or their laps on one track. */
export async function prefetch(queryClient: QueryClient, { params, search, user }: PageVisit): Promise<void> {
  const viewer = await user;
  const { idOrName } = params;
  if (!viewer) return;
  const trackId = search.get('track');
  let driverId: UserId = viewer.id;
  if (idOrName !== undefined && idOrName !== viewer.id) {
    await queryClient.prefetchQuery(driverQuery(idOrName));
    const driver = queryClient.getQueryData(driverQuery(idOrName).queryKey);
    if (!driver || !isTrackId(trackId)) return;
    driverId = driver.id;
  }
  if (isTrackId(trackId)) return queryClient.prefetchQuery(driverLapsQuery(trackId, driverId));
  await Promise.all([
    queryClient.prefetchQuery(ownCarsQuery),
    queryClient.prefetchQuery(bestsByCarQuery(viewer.id)),
    queryClient.prefetchQuery(totalCountQuery(viewer.id)),
  ]);
}

/** Shows the viewer's own profile, or that of the driver named in the path by id or by name. */
export function Page() {
  const { idOrName } = useParams();
  return (
    <SignedIn pendingText={PENDING_TEXT}>
      {(user) =>
        idOrName === undefined || idOrName === user.id ? (
          <OwnProfile user={user} />
        ) : (
          <DriverProfile key={idOrName} idOrName={idOrName} user={user} />
        )
      }
    </SignedIn>
  );
}

function OwnProfile({ user }: { user: User }) {
  const { profileImageUrl } = user;
  const driver = { name: formatDisplayName(user), username: formatUsername(user), profileImageUrl };
  return <Profile userId={user.id} driver={driver} isOwn />;
}

function DriverProfile({ idOrName, user }: { idOrName: string; user: User }) {
  const { data, error, refetch } = useQuery(driverQuery(idOrName));
  if (data?.id === user.id) return <OwnProfile user={user} />;
  if (data) {
    const { username, profileImageUrl } = data;
    const driver = { name: formatDisplayName(data), username, profileImageUrl };
    return <Profile userId={data.id} driver={driver} isOwn={false} />;
  }
  return (
    <PageColumn>
      <PageTitle className="visually-hidden">Profile</PageTitle>
      {error === null && <LoadingState>{PENDING_TEXT}</LoadingState>}
      {error !== null && isMissing(error) && (
        <EmptyState
          title="Driver not found"
          icon={<UserRoundX size={22} />}
          actions={<ButtonLink href="/leaderboards">Explore Leaderboards</ButtonLink>}
        >
          The driver may have left, or have a new name.
        </EmptyState>
      )}
      {error !== null && !isMissing(error) && (
        <FailedState title="The profile could not be loaded." onRetry={() => void refetch()} />
      )}
    </PageColumn>
  );
}

type ProfileProps = { userId: UserId; driver: ShownDriver; isOwn: boolean };

function Profile(props: ProfileProps) {
  const [path] = useLocation();
  const [search] = useSearchParams();
  const trackId = search.get('track');
  const tracksHref = `${path}?tab=tracks`;
  if (!isTrackId(trackId)) return <ProfileTabs {...props} tracksHref={tracksHref} />;
  const { userId, driver } = props;
  return (
    <DriverTrack key={trackId} {...{ trackId, userId }} driverName={driver.name} backHref={tracksHref} />
  );
}

function ProfileTabs({ userId, driver, isOwn, tracksHref }: ProfileProps & { tracksHref: string }) {
  const [search, setSearch] = useSearchParams();
  const [edited, setEdited] = useState<SessionId | null>(null);
  const totalCount = useQuery(totalCountQuery(userId));
  const tracks = useTrackVisits(userId);
  const sessions = useQuery(sessionsQuery(userId)).data;
  const findLapId = (trackId: TrackId, lapTimeMs: number) => findBestLapId(sessions, trackId, lapTimeMs);
  return (
    <PageColumn>
      <ProfileHeader
        driver={driver}
        totalLaps={totalCount.data?.totalLaps}
        trackCount={tracks.data?.length}
        isOwn={isOwn}
      />
      <div className={styles['tabs']}>
        <Tabs
          label="Profile"
          value={search.get('tab') === 'tracks' ? 'tracks' : 'garage'}
          onChange={(tab) => setSearch(tab === 'garage' ? {} : { tab }, { replace: true })}
          tabs={[
            {
              value: 'garage',
              label: 'Garage',
              content: <GarageTab {...{ userId, isOwn, findLapId }} visits={tracks.data} />,
            },
            {
              value: 'tracks',
              label: 'Tracks',
              content: (
                <>
                  <TracksTab {...{ tracks, tracksHref, isOwn }} onEdit={setEdited} />
                  {isOwn && <SavedComparisons />}
                </>
              ),
            },
          ]}
        />
      </div>
      {edited !== null && <EditSession sessionId={edited} onClose={() => setEdited(null)} />}
    </PageColumn>
  );
}

function isMissing(error: Error): boolean {
  return error instanceof ApiError && error.status === 404;
}
