import { ArrowLeft } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { AccountData } from '#web/features/profile/account-data.tsx';
import { ApiTokens } from '#web/features/profile/api-tokens.tsx';
import { EditProfileForm } from '#web/features/profile/edit-profile-form.tsx';
import { FormatSettings } from '#web/features/profile/format-settings.tsx';
import { NoticeSettings } from '#web/features/profile/notice-settings.tsx';
import { ProfilePhoto } from '#web/features/profile/profile-photo.tsx';
import { SignInSettings } from '#web/features/profile/sign-in-settings.tsx';
import { SignedIn } from '#web/shell/signed-in.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import common from '#web/ui/common.module.css';
import styles from './edit-profile.module.css';

export function Page() {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  // A person who has got the account back first looks at what else opens it.
  const reviewsSignIn = search.get('review') === 'sign-in';
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
          <div className={common['stack']}>
            {reviewsSignIn && <SignInSettings isReview />}
            <ProfilePhoto user={user} />
            <EditProfileForm user={user} onSaved={() => navigate('/profile')} />
            <FormatSettings user={user} />
            <NoticeSettings />
            <ApiTokens isAdmin={user.isAdmin} />
            {!reviewsSignIn && <SignInSettings />}
            <AccountData user={user} />
          </div>
        </PageColumn>
      )}
    </SignedIn>
  );
}
