import { followPlace } from '#engine/video/follow-place.ts';
import { comparePace, placeAt, timeAt, type TimedPlaces } from '#engine/video/timed-places.ts';
import { toTimeMs, toVideoSeconds, type VideoClock } from '#engine/video/video-clock.ts';
import type { Recording } from './open-recording.ts';
import type { VideoPlayer } from './video-player.ts';

/** One of the videos: its player, what puts it in step, and the lap that it shows. */
export type DeckSide = {
  player: VideoPlayer;
  /** Null until it is in step. */
  clock: VideoClock | null;
  places: TimedPlaces;
  /** On the clock of the lap file. */
  lapStartMs: number;
  /** The files that a clip can be made of; null for the player of another site. */
  recording: Pick<Recording, 'chapters' | 'info'> | null;
};

type SteppedSide = DeckSide & { clock: VideoClock };

export type Loop = { fromMeters: number; toMeters: number };

type DeckEvents = { onPlace: (meters: number) => void; onChange: () => void };

/** A player of another site that is further off is set again, where the lap comes to another stretch. */
const PUBLIC_JUMP_SECONDS = 1;
/** A lap ends so shortly before its last station that the cursor stays on it. */
const END_METERS = 0.5;
const EPSILON_SECONDS = 0.002;

/**
 * Leads one or two videos by the place on the track: the first one in step plays at its own pace, and the others follow its place.
 */
export class VideoDeck {
  readonly #sides: (DeckSide | null)[] = [];
  #events: DeckEvents = { onPlace: () => {}, onChange: () => {} };
  /** Lists the metres at which stretches begin. */
  readonly #boundaries: readonly number[];
  #isPlaying = false;
  #speed = 1;
  #loop: Loop | null = null;
  #meters = 0;
  /** The place that the reader chose; null once the video has gone on from it. */
  #chosen: number | null = null;
  /** Tells where the frame begins to which the reader stepped; null once the place was chosen otherwise. */
  #stepSeconds: number | null = null;

  constructor(boundaries: readonly number[]) {
    this.#boundaries = boundaries;
  }

  /** Reports to these from now on. */
  listen(events: DeckEvents): void {
    this.#events = events;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  get speed(): number {
    return this.#speed;
  }

  get loop(): Loop | null {
    return this.#loop;
  }

  side(index: number): DeckSide | null {
    return this.#sides[index] ?? null;
  }

  /** Puts a video into the deck, or takes it out; the place stays. */
  setSide(index: number, side: DeckSide | null): void {
    this.#sides[index] = side;
    if (side?.clock) this.moveTo(this.#meters);
    if (!this.#sides.some((one) => one)) this.#isPlaying = false;
    this.#events.onChange();
  }

  /** Shows the place in all videos that are in step. */
  moveTo(meters: number): void {
    this.#meters = meters;
    this.#chosen = meters;
    this.#stepSeconds = null;
    for (const side of this.#stepped()) side.player.seek(findSeconds(side, meters));
  }

  play(): void {
    this.#isPlaying = true;
    const leader = this.#leader();
    if (leader && this.#hasEnded(leader, this.#meters)) this.moveTo(this.#loop?.fromMeters ?? 0);
    for (const side of this.#sides) {
      side?.player.setRate(this.#speed);
      side?.player.play();
    }
    this.#events.onChange();
  }

  pause(): void {
    this.#isPlaying = false;
    const leader = this.#leader();
    const seconds = leader ? findNow(leader.player) : Number.NaN;
    for (const side of this.#sides) side?.player.pause();
    if (leader?.player.isExact) this.#rest(leader, seconds);
    this.#events.onChange();
  }

  /** Shows the next frame of the leading video, or the one before. */
  stepFrame(frames: 1 | -1): void {
    if (this.#isPlaying) this.pause();
    const player = this.#leader()?.player ?? this.#sides.find((side) => side)?.player;
    if (!player) return;
    const shown = player.shownSeconds();
    // Keys come quicker than frames: each goes on from the frame before it, even if that is still to be shown.
    const from = (player.isJumping() ? this.#stepSeconds : null) ?? (Number.isNaN(shown) ? 0 : shown);
    this.#stepSeconds = from + frames * player.frameSeconds;
    // The middle of a frame shows it, whatever is rounded.
    player.seek(this.#stepSeconds + 0.5 * player.frameSeconds);
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    for (const side of this.#sides) side?.player.setRate(speed);
    this.#events.onChange();
  }

  setLoop(loop: Loop | null): void {
    this.#loop = loop;
    if (loop && (this.#meters < loop.fromMeters || this.#meters > loop.toMeters))
      this.moveTo(loop.fromMeters);
    this.#events.onChange();
  }

  /** Takes a frame that a video has shown. */
  showFrame(index: number, seconds: number, nowMs: number): void {
    const leader = this.#leader();
    if (!leader || this.#sides[index] !== leader) return;
    if (leader.player.isJumping() || this.#isChosen(leader, seconds)) return;
    const before = this.#meters;
    const meters = findPlace(leader, seconds);
    this.#chosen = null;
    if (this.#isPlaying && this.#hasEnded(leader, meters)) {
      if (this.#loop) this.moveTo(this.#loop.fromMeters);
      else this.pause();
      return;
    }
    this.#meters = meters;
    this.#events.onPlace(meters);
    if (!this.#isPlaying) this.#settle(leader, seconds);
    else for (const side of this.#followers(leader)) this.#follow(side, leader, { seconds, nowMs, before });
  }

  /** Takes that a player has begun, paused or ended by itself, as its own buttons do. */
  takeChange(index: number): void {
    const leader = this.#leader();
    if (leader && this.#sides[index] === leader && leader.player.isPlaying() !== this.#isPlaying) {
      if (this.#isPlaying) this.pause();
      else this.play();
    }
    this.#events.onChange();
  }

  close(): void {
    for (const side of this.#sides) side?.player.close();
    this.#sides.length = 0;
  }

  /** Tells whether a paused video shows the place that the reader chose, which may lie anywhere within the frame. */
  #isChosen(leader: SteppedSide, seconds: number): boolean {
    if (this.#isPlaying || this.#chosen === null) return false;
    const wanted = findSeconds(leader, this.#chosen);
    return seconds <= wanted + EPSILON_SECONDS && wanted < seconds + leader.player.frameSeconds;
  }

  #stepped(): SteppedSide[] {
    return this.#sides.filter((side): side is SteppedSide => !!side?.clock);
  }

  #leader(): SteppedSide | undefined {
    const stepped = this.#stepped();
    return stepped.find(({ player }) => player.isExact) ?? stepped[0];
  }

  #followers(leader: DeckSide): SteppedSide[] {
    return this.#stepped().filter((side) => side !== leader);
  }

  #hasEnded({ places }: DeckSide, meters: number): boolean {
    const end = this.#loop?.toMeters ?? places.meters[places.meters.length - 1] ?? 0;
    return meters >= end - END_METERS;
  }

  /**
   * Sets videos that were just paused and the cursor, the leading video too: a browser may show frames that it never reports, and only
   * a jump makes sure which one stays. It need not report that one either.
   */
  #rest(leader: SteppedSide, seconds: number): void {
    if (leader.player.isJumping()) {
      if (this.#chosen !== null) this.moveTo(this.#chosen);
    } else if (!Number.isNaN(seconds)) {
      leader.player.seek(seconds);
      this.#meters = findPlace(leader, seconds);
      this.#events.onPlace(this.#meters);
      this.#settle(leader, seconds);
    }
  }

  /** Brings the other videos to the frame of this place while all of them are paused. */
  #settle(leader: SteppedSide, seconds: number): void {
    const meters = findPlace(leader, seconds);
    for (const side of this.#followers(leader))
      if (side.player.isExact) side.player.seek(findSeconds(side, meters));
  }

  #follow(
    side: SteppedSide,
    leader: SteppedSide,
    { seconds, nowMs, before }: { seconds: number; nowMs: number; before: number },
  ): void {
    const meters = findPlace(leader, seconds);
    const wantedSeconds = findSeconds(side, meters);
    if (wantedSeconds < 0 || wantedSeconds > side.player.durationSeconds()) return side.player.pause();
    if (!side.player.isPlaying()) side.player.play();
    const shownSeconds = side.player.secondsAt(nowMs);
    if (!side.player.isExact) {
      const isNewStretch = this.#boundaries.some((start) => start > before && start <= meters);
      if (isNewStretch && !(Math.abs(wantedSeconds - shownSeconds) <= PUBLIC_JUMP_SECONDS))
        side.player.seek(wantedSeconds);
      return;
    }
    if (side.player.isJumping()) return;
    const pace = (comparePace(leader.places, side.places, meters) * leader.clock.rate) / side.clock.rate;
    const { seekSeconds, playbackRate } = followPlace({ wantedSeconds, shownSeconds, pace });
    side.player.setRate(playbackRate * this.#speed);
    // The lap goes on while the video jumps.
    if (seekSeconds !== null) side.player.seek(seekSeconds + side.player.jumpSeconds() * pace * this.#speed);
  }
}

function findSeconds({ clock, places, lapStartMs }: SteppedSide, meters: number): number {
  return toVideoSeconds(clock, lapStartMs + timeAt(places, meters));
}

/** Finds the middle of the frame that a player shows at this moment, so that the other video is as near as it can be; NaN before the first one. */
function findNow(player: VideoPlayer): number {
  const shown = player.shownSeconds();
  const frames = Math.floor((player.secondsAt(performance.now()) - shown) / player.frameSeconds);
  return shown + (Math.max(0, frames) + 0.5) * player.frameSeconds;
}

function findPlace({ clock, places, lapStartMs }: SteppedSide, seconds: number): number {
  return placeAt(places, toTimeMs(clock, seconds) - lapStartMs);
}
