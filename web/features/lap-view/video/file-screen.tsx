import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { traceQuery } from '../lap-queries.ts';
import { FilePlayer } from './file-player.ts';
import { findStep, type Step } from './find-step.ts';
import type { Recording } from './open-recording.ts';
import { readOwnAnchors } from './own-anchors.ts';
import { ProveByVideo } from './prove-by-video.tsx';
import { NotPlayed, StepControls } from './step-controls.tsx';
import { useSide, type SteppedProps } from './use-side.ts';
import styles from './video-panel.module.css';

/** Shows files of the reader. */
export function FileScreen(props: SteppedProps & { recording: Recording }) {
  const { trackId, lap, places, times, recording, isMuted } = props;
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { data: trace, isError } = useQuery(traceQuery(trackId, lap.lapId));
  const step = useFirstStep(() => {
    if (recording.camera && !trace && !isError) return null;
    const own = readOwnAnchors(times.sessionId, recording.key);
    const lapTimeMs = places.elapsedMs[places.elapsedMs.length - 1] ?? 0;
    return findStep(recording, { times, trace: trace ?? null, lapTimeMs, own });
  });
  const { player, stepped, changeStep } = useSide(props, step, (events) => {
    const frameSeconds = 1 / (recording.info.framesPerSecond || 30);
    return (
      video.current &&
      new FilePlayer(
        video.current,
        { chapters: recording.chapters, frameSeconds, isEven: recording.info.isEven },
        { ...events, onProblem: setProblem },
      )
    );
  });
  useEffect(() => player?.setMuted(isMuted), [player, isMuted]);
  return (
    <>
      <video
        ref={video}
        className={styles['picture']}
        playsInline
        muted
        preload="auto"
        // A chapter before a damaged one plays again.
        onLoadedData={() => setProblem(null)}
      />
      <Problems sentences={[problem, ...recording.warnings]} />
      <ProveByVideo {...props} />
      {!recording.info.isEven && (
        <p className={styles['note']}>Frames of this video last differently long, so a step may skip one.</p>
      )}
      {problem === null ? (
        <StepControls
          {...props}
          {...{ player, stepped, changeStep }}
          videoKey={recording.key}
          title={recording.name}
        />
      ) : (
        <NotPlayed title={recording.name} onClose={props.onClose} />
      )}
    </>
  );
}

function Problems({ sentences }: { sentences: readonly (string | null)[] }) {
  return sentences.map(
    (sentence) =>
      sentence !== null && (
        <p key={sentence} role="alert" className={styles['problem']}>
          {sentence}
        </p>
      ),
  );
}

/** Finds the first step once its data are there; later changes are the reader's. */
function useFirstStep(find: () => Step | null): Step | null {
  const [step, setStep] = useState<Step | null>(null);
  if (step === null) {
    const found = find();
    if (found) setStep(found);
    return found;
  }
  return step;
}
