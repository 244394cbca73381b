import Crosshair from 'lucide-react/icons/crosshair';
import Replace from 'lucide-react/icons/replace';
import { useState } from 'react';
import {
  addAnchor,
  fitVideoClock,
  shiftClock,
  toAnchors,
  toVideoSeconds,
  type Anchor,
} from '#engine/video/video-clock.ts';
import { timeAt } from '#engine/video/timed-places.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { describeAnchors, type Step } from './find-step.ts';
import { writeOwnAnchors } from './own-anchors.ts';
import type { SteppedProps } from './use-side.ts';
import styles from './video-panel.module.css';
import type { VideoPlayer } from './video-player.ts';

type StepControlsProps = SteppedProps & {
  player: VideoPlayer | null;
  stepped: Step | null;
  changeStep: (step: Step) => void;
  videoKey: string;
  title: string;
};

/** Says what puts a video in step, and lets the reader set it: by the moment on the line, by the cursor, or frame by frame. */
export function StepControls(props: StepControlsProps) {
  const { stepped, title, onClose } = props;
  const [isOpen, setIsOpen] = useState(false);
  const isAdjusting = isOpen || (stepped !== null && stepped.clock === null);
  return (
    <div className={styles['step']}>
      <div className={styles['status']}>
        <output className={styles['note']}>
          {stepped?.sentence ?? 'Looking for the moment of this lap…'}
        </output>
        {stepped?.clock && (
          <IconButton
            size="small"
            label="Put in Step"
            icon={<Crosshair size={16} />}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          />
        )}
        <ChooseOther {...{ title, onClose }} />
      </div>
      {isAdjusting && stepped && <Adjust {...props} stepped={stepped} />}
      {isAdjusting && <p className={styles['note']}>{describeKeeping(props)}</p>}
    </div>
  );
}

/** Says where what the reader sets is kept: a file is recognised by its fingerprint, which a page without HTTPS cannot make. */
function describeKeeping({ videoKey, times }: Pick<StepControlsProps, 'videoKey' | 'times'>): string | null {
  if (videoKey === '') return 'What you set is not kept: this page was opened without HTTPS.';
  return times.isOwn ? null : 'What you set is kept in this browser. Its driver sets it for everybody.';
}

/** Says that there is no moment to set in a video of which nothing is shown. */
export function NotPlayed(props: { title: string; onClose: () => void }) {
  return (
    <div className={styles['status']}>
      <output className={styles['note']}>Choose another video.</output>
      <ChooseOther {...props} />
    </div>
  );
}

function ChooseOther({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <IconButton
      size="small"
      label={`Choose another video than ${title}`}
      icon={<Replace size={16} />}
      onClick={onClose}
    />
  );
}

function Adjust(props: StepControlsProps & { stepped: Step }) {
  const { player, stepped, times, places, here } = props;
  const { set, setAnchor } = useAnchors(props);
  const lapTimeMs = places.elapsedMs[places.elapsedMs.length - 1] ?? 0;
  const lapEndMs = times.lapStartMs + lapTimeMs;
  const nudge = (frames: number) => {
    if (!stepped.clock || !player) return;
    set(toAnchors(shiftClock(stepped.clock, frames * player.frameSeconds), times.lapStartMs, lapEndMs));
  };
  return (
    <div className={styles['adjust']} data-adjusting>
      {player && (
        <Scrubber
          player={player}
          clockSeconds={stepped.clock && toVideoSeconds(stepped.clock, times.lapStartMs)}
        />
      )}
      <div className={styles['buttons']}>
        <Button size="small" variant="primary" onClick={() => setAnchor(times.lapStartMs)}>
          The picture shows the line now
        </Button>
        <Button size="small" onClick={() => setAnchor(lapEndMs)}>
          … the line at the end of the lap
        </Button>
        {stepped.clock && (
          <Button size="small" onClick={() => setAnchor(times.lapStartMs + timeAt(places, here))}>
            … the place of the cursor
          </Button>
        )}
        {stepped.clock && player?.isExact && (
          <>
            <Button size="small" onClick={() => nudge(-1)} aria-label="Show one frame earlier at each place">
              −1 frame
            </Button>
            <Button size="small" onClick={() => nudge(1)} aria-label="Show one frame later at each place">
              +1 frame
            </Button>
          </>
        )}
        {stepped.anchors.length > 0 && (
          <Button size="small" variant="quiet" onClick={() => set([])}>
            Forget
          </Button>
        )}
      </div>
    </div>
  );
}

/** Stores anchors: those of the driver on the server, for everybody; those of somebody else in the browser. */
function useAnchors({ player, stepped, changeStep, times, trackId, lap, videoKey }: StepControlsProps) {
  const { run } = useCall('PUT /api/lap-videos/:trackId/:lapId', { failure: 'Not Saved', inTurn: true });
  const set = (anchors: Anchor[]) => {
    const sentence = anchors.length === 0 ? 'Not in step any more.' : describeAnchors(anchors, 'reader');
    changeStep({ clock: fitVideoClock(anchors), anchors, sentence });
    if (videoKey === '') return;
    if (!times.isOwn) writeOwnAnchors(times.sessionId, videoKey, anchors);
    else void run({ params: { trackId, lapId: lap.lapId }, body: { key: videoKey, anchors } });
  };
  const setAnchor = (timeMs: number) => {
    const videoSeconds = player?.shownSeconds() ?? Number.NaN;
    if (Number.isFinite(videoSeconds)) set(addAnchor(stepped?.anchors ?? [], { videoSeconds, timeMs }));
  };
  return { set, setAnchor };
}

/** Moves one video alone, so that the reader finds the moment. */
function Scrubber({ player, clockSeconds }: { player: VideoPlayer; clockSeconds: number | null }) {
  const [seconds, setSeconds] = useState(clockSeconds ?? 0);
  const { frameSeconds } = player;
  // The middle of a frame shows it, whatever is rounded.
  const show = (frameStart: number) => {
    setSeconds(frameStart);
    player.seek(frameStart + 0.5 * frameSeconds);
  };
  const stepBy = (frames: number) => {
    const shown = player.shownSeconds();
    show((Number.isNaN(shown) ? 0 : shown) + frames * frameSeconds);
  };
  return (
    <div className={styles['scrubber']}>
      <input
        type="range"
        aria-label="Moment of the video"
        min={0}
        max={player.durationSeconds()}
        step={frameSeconds}
        value={seconds}
        onChange={({ target }) => show(Number(target.value))}
      />
      <Button size="small" aria-label="One frame back in this video" onClick={() => stepBy(-1)}>
        ‹
      </Button>
      <Button size="small" aria-label="One frame on in this video" onClick={() => stepBy(1)}>
        ›
      </Button>
    </div>
  );
}
