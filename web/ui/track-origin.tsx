import type { TrackOrigin as Origin } from '#contract/tracks/schemas.ts';
import styles from './track-origin.module.css';

/** Names the published set that a track comes from, with its licence. Tracks of the club have none. */
export function TrackOrigin({ origin }: { origin: Origin | null | undefined }) {
  if (!origin) return null;
  const { title, attribution, licence, sourceUrl } = origin;
  return (
    <p className={styles['origin']}>
      Outline:{' '}
      <a href={sourceUrl} rel="noreferrer">
        {title}
      </a>{' '}
      · {attribution} · {licence}
    </p>
  );
}

/** Names each published set once that tracks of a list come from. */
export function TrackOrigins({ tracks }: { tracks: readonly { origin?: Origin | null | undefined }[] }) {
  const origins = new Map(
    tracks.flatMap(({ origin }) => (origin ? [[`${origin.set} ${origin.attribution}`, origin]] : [])),
  );
  return [...origins].map(([key, origin]) => <TrackOrigin key={key} origin={origin} />);
}
