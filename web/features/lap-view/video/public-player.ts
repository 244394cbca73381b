import { PLAYER_ORIGINS, type PublicVideo } from './public-video.ts';
import type { PlayerEvents, VideoPlayer } from './video-player.ts';

/** Holds what a player reports: a new time, whether it runs, or that it obeys now. */
type Report = { seconds?: number; durationSeconds?: number; isPlaying?: boolean; isReady?: true };

type Dialect = {
  /** Asks the player to tell its time. */
  greet: readonly object[];
  seek: (seconds: number) => object;
  play: object;
  pause: object;
  rate: (rate: number) => object;
  mute: (isMuted: boolean) => object;
  read: (message: Record<string, unknown>) => Report;
};

const command = (func: string, ...args: unknown[]) => ({
  event: 'command',
  func,
  args,
  id: 1,
  channel: 'widget',
});
const listenTo = (value: string) => ({ method: 'addEventListener', value });

const YOUTUBE: Dialect = {
  greet: [{ event: 'listening', id: 1, channel: 'widget' }],
  seek: (seconds) => command('seekTo', seconds, true),
  play: command('playVideo'),
  pause: command('pauseVideo'),
  rate: (rate) => command('setPlaybackRate', rate),
  mute: (isMuted) => command(isMuted ? 'mute' : 'unMute'),
  read: ({ event, info }) => {
    const report: Report = event === 'onReady' || event === 'initialDelivery' ? { isReady: true } : {};
    if (!isRecord(info)) return report;
    const { currentTime, duration, playerState } = info;
    return {
      ...report,
      ...(isTime(currentTime) && { seconds: currentTime }),
      ...(isTime(duration) && { durationSeconds: duration }),
      ...(typeof playerState === 'number' && { isPlaying: playerState === 1 || playerState === 3 }),
    };
  },
};

const VIMEO: Dialect = {
  greet: ['timeupdate', 'play', 'pause', 'ended', 'seeked'].map(listenTo),
  seek: (seconds) => ({ method: 'setCurrentTime', value: seconds }),
  play: { method: 'play' },
  pause: { method: 'pause' },
  rate: (rate) => ({ method: 'setPlaybackRate', value: rate }),
  mute: (isMuted) => ({ method: 'setMuted', value: isMuted }),
  read: ({ event, data }) => {
    const report: Report = event === 'ready' ? { isReady: true } : {};
    if (event === 'play') report.isPlaying = true;
    if (event === 'pause' || event === 'ended') report.isPlaying = false;
    if (!isRecord(data)) return report;
    return {
      ...report,
      ...(isTime(data['seconds']) && { seconds: data['seconds'] }),
      ...(isTime(data['duration']) && { durationSeconds: data['duration'] }),
    };
  },
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Players of other sites know these alone. */
const RATES = [0.25, 0.5, 1, 1.5, 2];
const GREET_AGAIN_MS = 500;
const OBEYS_MS = 3_000;

/**
 * Leads the player of another site by messages to its frame; none of its scripts runs in the page. It tells its time some times a
 * second, so that it is in step to about a second.
 */
export class PublicPlayer implements VideoPlayer {
  readonly isExact = false;
  readonly frameSeconds = 1;
  readonly #frame: HTMLIFrameElement;
  readonly #origin: string;
  readonly #dialect: Dialect;
  readonly #events: PlayerEvents;
  readonly #ended = new AbortController();
  #reported = { seconds: Number.NaN, nowMs: 0 };
  #durationSeconds = 0;
  #isPlaying = false;
  #isReady = false;
  /** The page ignores until this moment whether the player says that it plays: it still carries out what it was asked for. */
  #obeysUntilMs = 0;
  #rate = 1;
  #isMuted = true;

  constructor(frame: HTMLIFrameElement, site: PublicVideo['site'], events: PlayerEvents) {
    this.#frame = frame;
    this.#origin = PLAYER_ORIGINS[site];
    this.#dialect = site === 'YouTube' ? YOUTUBE : VIMEO;
    this.#events = events;
    window.addEventListener('message', (event) => this.#hear(event), { signal: this.#ended.signal });
    frame.addEventListener('load', () => this.#greet(), { signal: this.#ended.signal });
    this.#look();
  }

  durationSeconds = (): number => this.#durationSeconds;
  shownSeconds = (): number => this.secondsAt(performance.now());
  secondsAt = (nowMs: number): number =>
    this.#reported.seconds + (this.#isPlaying ? ((nowMs - this.#reported.nowMs) / 1_000) * this.#rate : 0);
  isPlaying = (): boolean => this.#isPlaying;
  isJumping = (): boolean => false;
  jumpSeconds = (): number => 0;

  seek = (seconds: number): void => {
    this.#reported = { seconds, nowMs: performance.now() };
    if (!this.#isReady) return;
    this.#send(this.#dialect.seek(Math.max(0, seconds)));
    // A player that has not begun yet would begin.
    if (!this.#isPlaying) this.pause();
  };

  play = (): void => this.#ask(true);

  pause = (): void => this.#ask(false);

  setRate = (rate: number): void => {
    const nearest = RATES.reduce((best, one) => (Math.abs(one - rate) < Math.abs(best - rate) ? one : best));
    if (nearest === this.#rate) return;
    this.#rate = nearest;
    if (this.#isReady) this.#send(this.#dialect.rate(nearest));
  };

  setMuted = (isMuted: boolean): void => {
    this.#isMuted = isMuted;
    if (this.#isReady) this.#send(this.#dialect.mute(isMuted));
  };

  close = (): void => this.#ended.abort();

  #ask(isPlaying: boolean): void {
    if (!this.#isReady) return;
    this.#send(isPlaying ? this.#dialect.play : this.#dialect.pause);
    this.#reported = { seconds: this.shownSeconds(), nowMs: performance.now() };
    this.#isPlaying = isPlaying;
    this.#obeysUntilMs = performance.now() + OBEYS_MS;
  }

  /** Asks the player to report, again until it does: it may load later than its page. */
  #greet(): void {
    if (this.#isReady || this.#ended.signal.aborted) return;
    for (const greeting of this.#dialect.greet) this.#send(greeting);
    setTimeout(() => this.#greet(), GREET_AGAIN_MS);
  }

  /** Asks a player that has become ready for its reports, and for what the reader has chosen meanwhile. */
  #begin(): void {
    this.#isReady = true;
    for (const greeting of this.#dialect.greet) this.#send(greeting);
    if (this.#rate !== 1) this.#send(this.#dialect.rate(this.#rate));
    if (!this.#isMuted) this.#send(this.#dialect.mute(false));
    if (Number.isNaN(this.#reported.seconds)) this.#reported = { seconds: 0, nowMs: performance.now() };
    else this.seek(this.#reported.seconds);
  }

  #send(message: object): void {
    this.#frame.contentWindow?.postMessage(JSON.stringify(message), this.#origin);
  }

  #hear({ source, origin, data }: MessageEvent<unknown>): void {
    if (source !== this.#frame.contentWindow || origin !== this.#origin) return;
    const message = parseMessage(data);
    if (message === null) return;
    const { seconds, durationSeconds, isPlaying, isReady } = this.#dialect.read(message);
    if (isReady && !this.#isReady) this.#begin();
    else if (seconds !== undefined) this.#reported = { seconds, nowMs: performance.now() };
    if (durationSeconds !== undefined) this.#durationSeconds = durationSeconds;
    // A player that loads reports for a while that it rests.
    if (isPlaying !== undefined && performance.now() > this.#obeysUntilMs) this.#isPlaying = isPlaying;
    this.#events.onChange();
  }

  #look(): void {
    if (this.#ended.signal.aborted) return;
    const nowMs = performance.now();
    if (this.#isPlaying) this.#events.onFrame(this.secondsAt(nowMs), nowMs);
    requestAnimationFrame(() => this.#look());
  }
}

function parseMessage(data: unknown): Record<string, unknown> | null {
  if (isRecord(data)) return data;
  if (typeof data !== 'string' || data.length > 100_000 || !data.startsWith('{')) return null;
  try {
    const parsed: unknown = JSON.parse(data);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
