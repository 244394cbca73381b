import { useQueryClient } from '@tanstack/react-query';
import type { User } from '#contract/users.ts';
import { formatDisplayName } from '#web/api/current-user.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { ImageButton } from '#web/ui/image-button.tsx';
import { formatInitials } from '#web/ui/format.ts';
import { RemoveImageButton } from '#web/ui/remove-image-button.tsx';
import { showToast } from '#web/ui/toasts.ts';
import styles from './profile-photo.module.css';
import { removeAvatar, uploadAvatar } from './profile-queries.ts';
import { ProfileSection } from './profile-section.tsx';

/** The user's own picture, which changes as soon as another one is chosen. */
export function ProfilePhoto({ user }: { user: User }) {
  const queryClient = useQueryClient();
  return (
    <ProfileSection title="Profile Photo">
      <div className={styles['photo']}>
        <Avatar src={user.profileImageUrl} letters={formatInitials(formatDisplayName(user))} size={88} />
        <ImageButton
          label={user.profileImageUrl ? 'Change Photo' : 'Upload Photo'}
          hint="JPEG, PNG, WebP, GIF or AVIF, up to 25 MB. Its location is removed."
          send={(file, options) => uploadAvatar(file, options, queryClient)}
          onSent={() => showToast({ title: 'Avatar Updated' })}
          onFailed={() => {
            const description = 'Failed to update avatar. Please try again.';
            showToast({ title: 'Update Failed', description, destructive: true });
          }}
        >
          {/* A picture of the sign-in provider cannot be removed here. */}
          {user.profileImageUrl?.startsWith('/api/') && (
            <RemoveImageButton remove={() => removeAvatar(queryClient)} />
          )}
        </ImageButton>
      </div>
    </ProfileSection>
  );
}
