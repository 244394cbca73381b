import { ButtonLink } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import common from '#web/ui/common.module.css';
import styles from './not-found.module.css';

export function Page() {
  return (
    <PageColumn className={styles['page']}>
      <OffTrack />
      <PageTitle>404 Page Not Found</PageTitle>
      <p className={common['muted']}>There is nothing at this address.</p>
      <div className={styles['actions']}>
        <ButtonLink href="/" variant="primary">
          Go Home
        </ButtonLink>
        <ButtonLink href="/leaderboards">Explore Leaderboards</ButtonLink>
      </div>
    </PageColumn>
  );
}

/** Draws a circuit with a car that has gone straight on. */
function OffTrack() {
  return (
    <svg className={styles['drawing']} viewBox="0 0 240 110" aria-hidden="true">
      <path d="M150 84H44c-22 0-32-14-26-32 6-17 26-22 44-16l24 8c14 5 22-2 28-12 8-14 22-20 40-20h34c20 0 30 12 24 30-5 15-20 16-26 30" />
      <path className={styles['off']} d="M156 84h78" />
    </svg>
  );
}
