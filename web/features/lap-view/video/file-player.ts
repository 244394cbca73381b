import type { PlayerEvents, VideoPlayer } from './video-player.ts';

/** One file of a recording, with the second of the recording at which it begins. */
export type Chapter = { file: File; startSeconds: number; durationSeconds: number };

/** Holds the files of a recording; its frames last equally long or not. */
type FilmedFiles = { chapters: readonly Chapter[]; frameSeconds: number; isEven: boolean };

type Frame = { seconds: number; nowMs: number };

/** Browsers refuse rates beyond these. */
const RATE_MIN = 0.0625;
const RATE_MAX = 16;

/**
 * Plays the files of a recording in one `video` element, as if they were one. The element reads the ranges that it needs; nothing is
 * copied. A jump that comes while another one is under way waits for it, and only the last one is made.
 */
export class FilePlayer implements VideoPlayer {
  readonly isExact = true;
  readonly frameSeconds: number;
  readonly #video: HTMLVideoElement;
  readonly #chapters: readonly Chapter[];
  readonly #isEven: boolean;
  readonly #events: PlayerEvents;
  readonly #ended = new AbortController();
  #chapter = -1;
  #url = '';
  #wanted: number | null = null;
  #wantsToPlay = false;
  #shown: Frame | null = null;
  #rate = 1;
  /** When the jump began that no frame has followed yet. */
  #jumpedAtMs: number | null = null;
  #jumpSeconds = 0.1;
  /** Runs while the browser may still show a frame after a pause; null otherwise. */
  #pausing: ReturnType<typeof setTimeout> | null = null;

  constructor(
    video: HTMLVideoElement,
    { chapters, frameSeconds, isEven }: FilmedFiles,
    events: PlayerEvents,
  ) {
    this.#video = video;
    this.#chapters = chapters;
    this.#events = events;
    this.frameSeconds = frameSeconds;
    this.#isEven = isEven;
    this.#listen();
    this.#open(0, 0);
  }

  durationSeconds = (): number => {
    const last = this.#chapters.at(-1);
    return last ? last.startSeconds + last.durationSeconds : 0;
  };

  shownSeconds = (): number => this.#shown?.seconds ?? Number.NaN;

  secondsAt = (nowMs: number): number => {
    if (!this.#shown) return Number.NaN;
    const runs = this.isPlaying() && !this.#video.seeking;
    return this.#shown.seconds + (runs ? ((nowMs - this.#shown.nowMs) / 1_000) * this.#rate : 0);
  };

  isPlaying = (): boolean => this.#wantsToPlay;

  isJumping = (): boolean => this.#wanted !== null || this.#jumpedAtMs !== null || this.#video.seeking;

  jumpSeconds = (): number => this.#jumpSeconds;

  seek = (seconds: number): void => {
    this.#wanted = Math.min(Math.max(0, seconds), this.durationSeconds());
    this.#jump();
  };

  play = (): void => {
    this.#wantsToPlay = true;
    this.#endPausing();
    // A pause that follows at once ends this promise, which is no problem.
    this.#video.play().catch(() => undefined);
    this.#events.onChange();
  };

  pause = (): void => {
    this.#wantsToPlay = false;
    if (!this.#video.paused) this.#pausing ??= setTimeout(() => this.#endPausing(), PAUSING_MS);
    this.#video.pause();
    this.#events.onChange();
  };

  setRate = (rate: number): void => {
    const clamped = Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
    // Every change makes the browser adjust its pipeline, so small ones wait.
    if (Math.abs(clamped - this.#video.playbackRate) < RATE_STEP * clamped) return;
    this.#video.playbackRate = clamped;
    this.#rate = clamped;
  };

  setMuted = (isMuted: boolean): void => {
    this.#video.muted = isMuted;
  };

  close = (): void => {
    this.#ended.abort();
    if (this.#pausing !== null) clearTimeout(this.#pausing);
    this.#video.pause();
    this.#video.removeAttribute('src');
    this.#video.load();
    URL.revokeObjectURL(this.#url);
  };

  #listen(): void {
    const { signal } = this.#ended;
    const on = (type: string, listener: () => void) =>
      this.#video.addEventListener(type, listener, { signal });
    on('loadedmetadata', () => {
      this.#video.playbackRate = this.#rate;
      this.#jump();
      if (this.#wantsToPlay) this.play();
      this.#events.onChange();
    });
    on('seeked', () => this.#jump());
    on('ended', () => {
      if (this.#chapter + 1 < this.#chapters.length) this.#open(this.#chapter + 1, 0);
      else this.pause();
    });
    on('error', () => this.#events.onProblem(CANNOT_PLAY));
    this.#watchFrames();
  }

  #watchFrames(): void {
    const video = this.#video;
    const show = (mediaSeconds: number, nowMs: number) => {
      if (this.#ended.signal.aborted) return;
      const seconds = (this.#chapters[this.#chapter]?.startSeconds ?? 0) + this.#findFrame(mediaSeconds);
      this.#shown = { seconds, nowMs };
      if (!video.seeking) this.#endJump();
      this.#events.onFrame(seconds, nowMs);
    };
    if (!('requestVideoFrameCallback' in video)) {
      const look = () => {
        show((video as HTMLVideoElement).currentTime, performance.now());
        if (!this.#ended.signal.aborted) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      return;
    }
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, expectedDisplayTime }) => {
      show(mediaTime, expectedDisplayTime);
      if (!this.#ended.signal.aborted) video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  }

  /** Finds when a frame begins: Firefox reports the moment of the jump instead, which lies anywhere within the frame. */
  #findFrame(mediaSeconds: number): number {
    const isOfJump = this.#video.paused && Math.abs(mediaSeconds - this.#video.currentTime) < SAME_SECONDS;
    if (!isOfJump || !this.#isEven) return mediaSeconds;
    return Math.floor(mediaSeconds / this.frameSeconds + ROUNDED_FRAMES) * this.frameSeconds;
  }

  /** Learns from each jump how long the next one will take. */
  #endJump(): void {
    if (this.#jumpedAtMs === null) return;
    const seconds = Math.min(1, (performance.now() - this.#jumpedAtMs) / 1_000);
    this.#jumpSeconds += (seconds - this.#jumpSeconds) * JUMP_SHARE;
    this.#jumpedAtMs = null;
  }

  #endPausing(): void {
    if (this.#pausing !== null) clearTimeout(this.#pausing);
    this.#pausing = null;
    this.#jump();
  }

  #jump(): void {
    if (
      this.#wanted === null ||
      this.#pausing !== null ||
      this.#video.readyState < HTMLMediaElement.HAVE_METADATA ||
      this.#video.seeking
    )
      return;
    const wanted = this.#wanted;
    const index = this.#chapters.findLastIndex(({ startSeconds }) => startSeconds <= wanted);
    const chapter = this.#chapters[index];
    if (!chapter) return;
    if (index !== this.#chapter) {
      this.#open(index, wanted);
      return;
    }
    this.#wanted = null;
    this.#jumpedAtMs = performance.now();
    this.#video.currentTime = wanted - chapter.startSeconds;
  }

  #open(index: number, wanted: number): void {
    const chapter = this.#chapters[index];
    if (!chapter) return;
    this.#chapter = index;
    this.#wanted ??= Math.max(wanted, chapter.startSeconds);
    URL.revokeObjectURL(this.#url);
    this.#url = URL.createObjectURL(chapter.file);
    this.#video.src = this.#url;
  }
}

const RATE_STEP = 0.005;
/** A browser shows its last frame so long after a pause, even over the frame of a jump made meanwhile. */
const PAUSING_MS = 100;
const JUMP_SHARE = 0.3;
const SAME_SECONDS = 0.0001;
const ROUNDED_FRAMES = 0.02;

const CANNOT_PLAY =
  'This browser cannot play the video. Its picture may be of a kind that it does not know, or the file is damaged.';
