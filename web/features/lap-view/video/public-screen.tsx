import { useEffect, useRef, useState } from 'react';
import { findPublicStep } from './find-step.ts';
import { readOwnAnchors } from './own-anchors.ts';
import { PublicPlayer } from './public-player.ts';
import { buildPlayerUrl, keyOfPublicVideo, type PublicVideo } from './public-video.ts';
import { StepControls } from './step-controls.tsx';
import { useSide, type SteppedProps } from './use-side.ts';
import styles from './video-panel.module.css';

/** Shows the player of another site, which the reader has asked for. */
export function PublicScreen(props: SteppedProps & { video: PublicVideo }) {
  const { video, times, isMuted, lap } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const key = keyOfPublicVideo(video);
  const [step] = useState(() =>
    findPublicStep(video, key, { times, own: readOwnAnchors(times.sessionId, key) }),
  );
  const { player, stepped, changeStep } = useSide(
    props,
    step,
    (events) =>
      frame.current && new PublicPlayer(frame.current, video.site, { ...events, onProblem: () => {} }),
  );
  useEffect(() => player?.setMuted(isMuted), [player, isMuted]);
  return (
    <>
      <iframe
        ref={frame}
        className={styles['picture']}
        title={`${video.site} video of ${lap.name}`}
        src={buildPlayerUrl(video, window.location.origin)}
        // YouTube refuses to play if there is no referrer.
        referrerPolicy="strict-origin-when-cross-origin"
        // The players need scripts and their own origin, which is another one than this.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups"
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        allowFullScreen
      />
      <StepControls {...props} {...{ player, stepped, changeStep }} videoKey={key} title={video.site} />
    </>
  );
}
