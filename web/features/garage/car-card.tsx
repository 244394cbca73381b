import Trash2 from 'lucide-react/icons/trash';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { UserCar } from '#contract/garage/schemas.ts';
import type { LapId, TrackId } from '#contract/ids.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { trackHref } from '#web/ui/page-hrefs.ts';
import type { CarBest } from './garage-queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate } from '#web/ui/format.ts';
import { LapTime } from '#web/ui/lap-time.tsx';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { findClosestToRecord } from './closest-to-record.ts';
import styles from './car-card.module.css';
import { formatCarTitle, formatModel } from './car-title.ts';
import { uploadImage } from '#web/api/send-with-progress.ts';
import { ImageButton } from '#web/ui/image-button.tsx';
import { RemoveImageButton } from '#web/ui/remove-image-button.tsx';

/** A track that the driver of a car has visited. */
export type VisitedTrack = { trackId: TrackId; track: ListedTrack | null; best: { topLap: number } | null };

type CarCardProps = {
  car: UserCar;
  bests: readonly CarBest[];
  visits: readonly VisitedTrack[];
  findLapId: (trackId: TrackId, lapTimeMs: number) => LapId | null;
  /** Present only for the owner of the car. */
  onRemove?: (() => void) | undefined;
};

/** Shows a car of a garage with its best laps; its owner may change the photo and remove the car. */
export function CarCard({ car, bests, visits, findLapId, onRemove }: CarCardProps) {
  const titleId = useId();
  const title = formatCarTitle(car);
  const isOwn = onRemove !== undefined;
  return (
    <Card as="article" padded={false} className={styles['card']}>
      <CarPicture {...{ car, title, bests, visits }} />
      <div className={styles['content']}>
        <header>
          <h2 id={titleId} className={styles['title']}>
            {title}
          </h2>
          {car.status === 'community_submitted' && <Badge tone="accent">Community</Badge>}
          {car.nickname && <p className={styles['nickname']}>{car.nickname}</p>}
        </header>
        {bests.length > 0 ? <PersonalBests {...{ bests, findLapId }} /> : <NoLaps />}
      </div>
      {isOwn && (
        <footer className={styles['footer']}>
          <CarPhotoButton car={car} describedBy={titleId} />
          <IconButton
            size="small"
            label="Remove Car"
            aria-describedby={titleId}
            icon={<Trash2 size={18} />}
            onClick={onRemove}
          />
        </footer>
      )}
    </Card>
  );
}

// This is the width on the widest card. The style sets the width; these attributes reserve the height before the photo
// is loaded.
const PICTURE_WIDTH = 600;
const PICTURE_HEIGHT = 240;

const OUTLINE_BOX = { width: 240, height: 200, padding: 8 };

type CarPictureProps = Pick<CarCardProps, 'car' | 'bests' | 'visits'> & { title: string };

/** Shows the photo of a car, or its name beside the track where it is closest to the record. */
function CarPicture({ car, title, bests, visits }: CarPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  if (car.photoUrl && car.photoUrl !== brokenUrl) {
    return (
      <img
        className={styles['picture']}
        src={car.photoUrl}
        alt={title}
        width={PICTURE_WIDTH}
        height={PICTURE_HEIGHT}
        loading="lazy"
        onError={() => setBrokenUrl(car.photoUrl)}
      />
    );
  }
  const best = findClosestToRecord(bests, visits);
  const track = visits.find(({ trackId }) => trackId === best?.trackId)?.track;
  return (
    <div className={classNames(styles['placeholder'], best && styles['withTrack'])} aria-hidden="true">
      <span className={styles['make']}>{car.make}</span>
      <span className={styles['model']}>{formatModel(car)}</span>
      {best && (
        <>
          <span className={styles['outline']}>
            {track && <CircuitOutline track={track} box={OUTLINE_BOX} />}
          </span>
          <span className={styles['where']}>{best.trackName || 'Unknown Track'}</span>
          <LapTime lapTimeMs={best.lapTime} className={styles['bestTime']} />
        </>
      )}
    </div>
  );
}

const BESTS_SHOWN_AT_FIRST = 3;

function PersonalBests({ bests, findLapId }: Pick<CarCardProps, 'bests' | 'findLapId'>) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? bests : bests.slice(0, BESTS_SHOWN_AT_FIRST);
  return (
    <section className={styles['bests']}>
      <h3>Track Personal Bests</h3>
      <ul>
        {shown.map((best) => (
          <li key={best.trackId} className={styles['best']}>
            <span className={styles['track']}>
              <TrackName best={best} />
              <span className={styles['date']}>{formatLapDate(best.uploadDate)}</span>
            </span>
            <LapTimeLink
              trackId={best.trackId}
              lapId={findLapId(best.trackId, best.lapTime)}
              lapTimeMs={best.lapTime}
              className={styles['time']}
            />
          </li>
        ))}
      </ul>
      {bests.length > BESTS_SHOWN_AT_FIRST && (
        <Button variant="quiet" size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show Less' : `Show All ${bests.length} Tracks`}
        </Button>
      )}
    </section>
  );
}

function TrackName({ best: { trackId, trackName } }: { best: CarBest }) {
  return (
    <Link href={trackHref(trackId)} className={styles['link']}>
      {trackName || 'Unknown Track'}
    </Link>
  );
}

function NoLaps() {
  return (
    <div className={styles['noLaps']}>
      <p>No lap data yet</p>
      <Link href="/upload" className={styles['upload']}>
        Upload Lap Data
      </Link>
    </div>
  );
}

/** Uploads a photo of a car. The old photo stays until the new one is uploaded. */
function CarPhotoButton({ car, describedBy }: { car: UserCar; describedBy: string }) {
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
