import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TrackId } from '#contract/ids.ts';
import type { LapVideos } from '#contract/lap-view/videos.ts';
import type { TimedPlaces } from '#engine/video/timed-places.ts';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import { LineKey } from '../line-key.tsx';
import type { ShownLap } from '../shown-laps.ts';
import { ChooseVideo } from './choose-video.tsx';
import { FileScreen } from './file-screen.tsx';
import type { Recording } from './open-recording.ts';
import { PublicScreen } from './public-screen.tsx';
import { parsePublicVideo } from './public-video.ts';
import type { VideoDeck } from './video-deck.ts';
import styles from './video-panel.module.css';

export type ScreenProps = {
  trackId: TrackId;
  lap: ShownLap;
  places: TimedPlaces;
  deck: VideoDeck;
  index: number;
  isMuted: boolean;
  /** The place under the cursor, in metres. */
  here: number;
  onReady: () => void;
};

/** Shows the video of one lap: files of the reader, the player of another site, or what to choose from. */
export function VideoScreen(props: ScreenProps) {
  const { trackId, lap } = props;
  const {
    data: times,
    error,
    refetch,
  } = useQuery(apiQuery('GET /api/lap-videos/:trackId/:lapId', { params: { trackId, lapId: lap.lapId } }));
  return (
    <section className={styles['screen']} aria-label={`Video of ${lap.name}`}>
      <h3 className={styles['name']}>
        <LineKey stroke={lap.stroke} />
        {lap.name}
      </h3>
      {times && <Chosen {...props} times={times} />}
      {!times && error && <RetryLine onRetry={() => void refetch()}>{describeError(error)}</RetryLine>}
      {!times && !error && <Skeleton height={200} />}
    </section>
  );
}

function Chosen({ times, ...props }: ScreenProps & { times: LapVideos }) {
  const [recording, setRecording] = useState<Recording | null>(null);
  const [isPublic, setIsPublic] = useState(false);
  const linked = parsePublicVideo(times.videoUrl);
  const close = () => {
    props.deck.setSide(props.index, null);
    setRecording(null);
    setIsPublic(false);
  };
  if (recording)
    return <FileScreen key={recording.name} {...props} {...{ times, recording }} onClose={close} />;
  if (isPublic && linked) return <PublicScreen {...props} {...{ times }} video={linked} onClose={close} />;
  return (
    <ChooseVideo
      name={props.lap.name}
      site={linked?.site ?? null}
      onRecording={setRecording}
      onPublic={() => setIsPublic(true)}
    />
  );
}
