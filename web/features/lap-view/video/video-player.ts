/** A video that the deck leads: files of the reader, frame by frame, or the player of another site, to about a second. */
export type VideoPlayer = {
  readonly isExact: boolean;
  readonly frameSeconds: number;
  durationSeconds: () => number;
  /** Returns the time of the last frame that was shown; NaN before the first. */
  shownSeconds: () => number;
  /** Returns where the video is at a moment of `performance.now()`: it runs on from the last frame. */
  secondsAt: (nowMs: number) => number;
  /** Tells whether a jump is under way, until its first frame is shown. */
  isJumping: () => boolean;
  /** Returns how long a jump takes, in seconds. */
  jumpSeconds: () => number;
  isPlaying: () => boolean;
  seek: (seconds: number) => void;
  play: () => void;
  pause: () => void;
  setRate: (rate: number) => void;
  setMuted: (isMuted: boolean) => void;
  close: () => void;
};

/** Is called with each frame that is shown: its time in the video, and when it is on the screen by `performance.now()`. */
export type OnFrame = (seconds: number, nowMs: number) => void;

export type PlayerEvents = {
  onFrame: OnFrame;
  /** Is called when the video begins to play, pauses or becomes ready. */
  onChange: () => void;
  onProblem: (sentence: string) => void;
};
