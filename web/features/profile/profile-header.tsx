import PencilLine from 'lucide-react/icons/pencil-line';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatInitials } from '#web/ui/format.ts';
import { PageTitle } from '#web/ui/page.tsx';
import styles from './profile-header.module.css';

export type ShownDriver = { name: string; username: string | null; profileImageUrl: string | null };

type ProfileHeaderProps = {
  driver: ShownDriver;
  /** Undefined while the laps are loading, and after a failure. */
  totalLaps: number | undefined;
  trackCount: number | undefined;
  isOwn: boolean;
};

/** Shows the driver and their totals. */
export function ProfileHeader({ driver, totalLaps, trackCount, isOwn }: ProfileHeaderProps) {
  return (
    <Card as="section" className={styles['card']}>
      <Avatar src={driver.profileImageUrl} letters={formatInitials(driver.name)} size={88} />
      <div>
        <PageTitle className={styles['name']}>{driver.name}</PageTitle>
        {driver.username !== null && <p className={styles['username']}>@{driver.username}</p>}
        <p className={styles['badges']}>
          {totalLaps !== undefined && <Badge>{totalLaps} Total Laps</Badge>}
          {trackCount !== undefined && <Badge>{trackCount} Tracks</Badge>}
        </p>
      </div>
      {isOwn && (
        <ButtonLink href="/profile/edit" className={styles['edit']}>
          <PencilLine size={18} aria-hidden="true" />
          Edit Profile
        </ButtonLink>
      )}
    </Card>
  );
}
