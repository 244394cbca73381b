import { AdminCard } from './admin-card.tsx';
import { LibraryUpload } from './library-upload.tsx';

type UploadTracksProps = {
  isParsing: boolean;
  disabled: boolean;
  isPrimary: boolean;
  problem: string | null;
  onFiles: (files: readonly File[]) => void;
};

/** Takes a file of tracks to be reviewed. */
export function UploadTracks({ isParsing, ...upload }: UploadTracksProps) {
  return (
    <AdminCard
      title="Upload Track Storage JSON"
      lead="Nothing is added to the library before you have reviewed it."
    >
      <LibraryUpload
        {...upload}
        label="Track file"
        type=".json"
        busyText={isParsing ? 'Reading the track file...' : null}
      />
    </AdminCard>
  );
}
