import type { User } from '#contract/people/schemas.ts';
import { formatDisplayName } from '#contract/people/labels.ts';
import { uploadImage } from '#web/api/send-with-progress.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { ImageButton } from '#web/ui/image-button.tsx';
import { formatInitials } from '#web/ui/format.ts';
import { RemoveImageButton } from '#web/ui/remove-image-button.tsx';
import styles from './profile-photo.module.css';
import { ProfileSection } from './profile-section.tsx';

/** Shows the user's own picture, which changes as soon as another one is chosen. */
export function ProfilePhoto({ user }: { user: User }) {
  return (
    <ProfileSection title="Profile Photo">
      <div className={styles['photo']}>
        <Avatar src={user.profileImageUrl} letters={formatInitials(formatDisplayName(user))} size={88} />
        <ImageButton
          label={user.profileImageUrl ? 'Change Photo' : 'Upload Photo'}
          hint="JPEG, PNG, WebP, GIF or AVIF, up to 25 MB. Its location is removed."
          upload={async (send, file, options) => {
            const avatarURL = await uploadImage(send, file, options);
            await send('PUT /api/user/avatar', { body: { avatarURL } });
          }}
          success={{ title: 'Avatar Updated' }}
          failure={{ title: 'Update Failed', description: 'Failed to update avatar. Please try again.' }}
        >
          {/* A picture of the sign-in provider cannot be removed here. */}
          {user.profileImageUrl?.startsWith('/api/') && (
            <RemoveImageButton remove={(send) => send('DELETE /api/user/avatar')} />
          )}
        </ImageButton>
      </div>
    </ProfileSection>
  );
}
