import type { UserCar } from '#contract/garage/schemas.ts';
import { uploadImage } from '#web/api/send-with-progress.ts';
import { ImageButton } from '#web/ui/image-button.tsx';
import { RemoveImageButton } from '#web/ui/remove-image-button.tsx';

/** Uploads a photo of a car. The old photo stays until the new one is uploaded. */
export function CarPhotoButton({ car, describedBy }: { car: UserCar; describedBy: string }) {
  const params = { id: car.id };
  return (
    <ImageButton
      label={car.photoUrl ? 'Change Photo' : 'Upload Photo'}
      describedBy={describedBy}
      upload={async (send, file, options) => {
        const photoURL = await uploadImage(send, file, options);
        await send('PUT /api/cars/:id/photo', { params, body: { photoURL } });
      }}
      success={{ title: 'Photo Updated', description: 'Car photo has been updated successfully' }}
      failure={{ title: 'Update Failed', description: 'Failed to update car photo. Please try again.' }}
    >
      {car.photoUrl && (
        <RemoveImageButton
          describedBy={describedBy}
          remove={(send) => send('DELETE /api/cars/:id/photo', { params })}
        />
      )}
    </ImageButton>
  );
}
