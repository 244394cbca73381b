import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { PAGES } from '#contract/pages.ts';
import type { User } from '#contract/people/schemas.ts';
import { AccountData } from '#web/features/profile/account-data.tsx';
import { ApiTokens } from '#web/features/profile/api-tokens.tsx';
import { EditProfileForm } from '#web/features/profile/edit-profile-form.tsx';
import { NoticeSettings } from '#web/features/profile/notice-settings.tsx';
import { ProfilePhoto } from '#web/features/profile/profile-photo.tsx';
import { SignInSettings } from '#web/features/profile/sign-in-settings.tsx';
import { SignedIn } from '#web/shell/signed-in.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { SectionLinks } from '#web/ui/section-links.tsx';
import common from '#web/ui/common.module.css';
import styles from './edit-profile.module.css';

const SECTIONS = [
  { href: PAGES['edit-profile'], label: 'Profile' },
  { href: PAGES['edit-notices'], label: 'Notices' },
  { href: PAGES['edit-sign-in'], label: 'Sign-in' },
  { href: PAGES['edit-tokens'], label: 'Tokens' },
  { href: PAGES['edit-data'], label: 'Data' },
];

export function Page() {
  return (
    <SignedIn pendingText="Loading profile...">
      {(user) => (
        <PageColumn width="narrow">
          <div className={styles['header']}>
            <ButtonLink
              href="/profile"
              variant="quiet"
              className={styles['back']}
              aria-label="Back to profile"
            >
              <ArrowLeft size={20} aria-hidden="true" />
            </ButtonLink>
            <PageTitle>Edit Profile</PageTitle>
          </div>
          <SectionLinks label="Edit Profile" links={SECTIONS} />
          <div className={common['stack']}>
            <Section user={user} />
          </div>
        </PageColumn>
      )}
    </SignedIn>
  );
}

function Section({ user }: { user: User }): ReactNode {
  const [path, navigate] = useLocation();
  const [search] = useSearchParams();
  const leave = () => navigate('/profile');
  if (path === PAGES['edit-notices']) return <NoticeSettings user={user} onSaved={leave} />;
  // A person who has got the account back first looks at what else opens it.
  if (path === PAGES['edit-sign-in']) return <SignInSettings isReview={search.has('review')} />;
  if (path === PAGES['edit-tokens']) return <ApiTokens isAdmin={user.isAdmin} />;
  if (path === PAGES['edit-data']) return <AccountData user={user} />;
  return (
    <>
      <ProfilePhoto user={user} />
      <EditProfileForm user={user} onSaved={leave} />
    </>
  );
}
