import { ArrowLeft } from 'lucide-react';
import { useLocation } from 'wouter';
import { AccountData } from '#web/features/profile/account-data.tsx';
import { ApiTokens } from '#web/features/profile/api-tokens.tsx';
import { EditProfileForm } from '#web/features/profile/edit-profile-form.tsx';
import { NoticeSettings } from '#web/features/profile/notice-settings.tsx';
import { ProfilePhoto } from '#web/features/profile/profile-photo.tsx';
import { SignInSettings } from '#web/features/profile/sign-in-settings.tsx';
import { SignedIn } from '#web/shell/signed-in.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import styles from './edit-profile.module.css';

/** Shows the page on which users edit their profile. */
export function Page() {
  const [, navigate] = useLocation();
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
          <div className={styles['sections']}>
            <ProfilePhoto user={user} />
            <EditProfileForm user={user} onSaved={() => navigate('/profile')} />
            <NoticeSettings />
            <ApiTokens isAdmin={user.isAdmin} />
            <SignInSettings isAdmin={user.isAdmin} />
            <AccountData user={user} />
          </div>
        </PageColumn>
      )}
    </SignedIn>
  );
}
