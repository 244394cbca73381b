import { useEffect, useRef, useState } from 'react';
import type { LapVideos } from '#contract/lap-view/videos.ts';
import type { Step } from './find-step.ts';
import type { Recording } from './open-recording.ts';
import type { PlayerEvents, VideoPlayer } from './video-player.ts';
import type { ScreenProps } from './video-screen.tsx';

export type SteppedProps = ScreenProps & {
  times: LapVideos;
  onClose: () => void;
  /** The files of the reader; absent for the player of another site. */
  recording?: Recording;
};

/** Opens the player of a screen, and keeps it in the deck with what puts it in step. */
export function useSide(
  { deck, index, places, times, recording, onReady }: SteppedProps,
  first: Step | null,
  open: (events: Pick<PlayerEvents, 'onFrame' | 'onChange'>) => VideoPlayer | null,
) {
  const [player, setPlayer] = useState<VideoPlayer | null>(null);
  const [changed, changeStep] = useState<Step | null>(null);
  const stepped = changed ?? first;
  const opened = useRef(open);
  useEffect(() => {
    const made = opened.current({
      onFrame: (seconds, nowMs) => deck.showFrame(index, seconds, nowMs),
      onChange: () => deck.takeChange(index),
    });
    setPlayer(made);
    onReady();
    return () => {
      made?.close();
      setPlayer(null);
    };
    // A screen keeps its player for as long as it is there.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [deck, index]);
  useEffect(() => {
    if (!player) return;
    const { lapStartMs } = times;
    const clock = stepped?.clock ?? null;
    deck.setSide(index, { player, places, lapStartMs, clock, recording: recording ?? null });
  }, [deck, index, player, places, times, stepped?.clock, recording]);
  useEffect(() => () => deck.setSide(index, null), [deck, index]);
  return { player, stepped, changeStep };
}
