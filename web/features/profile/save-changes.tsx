import { Button, ButtonLink } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';

/** Describes how a section of Edit Profile ends: every one is saved by its button, says so, and leads back to the profile. */
export const SAVING = {
  success: { title: 'Profile Updated', description: 'Your profile has been saved successfully' },
  failure: () => ({
    title: 'Update Failed',
    description: 'Failed to update profile. Please try again.',
  }),
};

/** Shows the buttons below a section of Edit Profile: one leaves it as it was, the other saves it. */
export function SaveChanges({ isBusy, onCancel }: { isBusy: boolean; onCancel: () => void }) {
  return (
    <div className={common['actions']}>
      <ButtonLink href="/profile" size="large" onClick={onCancel}>
        Cancel
      </ButtonLink>
      <Button type="submit" variant="primary" size="large" pending={isBusy}>
        Save Changes
      </Button>
    </div>
  );
}
