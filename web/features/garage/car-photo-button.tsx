import { useQueryClient } from '@tanstack/react-query';
import type { GarageCar } from '#web/api/specified-answers/profiles.ts';
import { ImageButton } from '#web/ui/image-button.tsx';
import { RemoveImageButton } from '#web/ui/remove-image-button.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { removeCarPhoto, uploadCarPhoto } from './garage-queries.ts';

/** Uploads a photo of a car. The former one stays until the new one is there. */
export function CarPhotoButton({ car, describedBy }: { car: GarageCar; describedBy: string }) {
  const queryClient = useQueryClient();
  return (
    <ImageButton
      label={car.photoUrl ? 'Change Photo' : 'Upload Photo'}
      describedBy={describedBy}
      send={(file, options) => uploadCarPhoto({ id: car.id, file }, options, queryClient)}
      onSent={() => {
        showToast({ title: 'Photo Updated', description: 'Car photo has been updated successfully' });
      }}
      onFailed={() => {
        const description = 'Failed to update car photo. Please try again.';
        showToast({ title: 'Update Failed', description, destructive: true });
      }}
    >
      {car.photoUrl && (
        <RemoveImageButton describedBy={describedBy} remove={() => removeCarPhoto(car.id, queryClient)} />
      )}
    </ImageButton>
  );
}
