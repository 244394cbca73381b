import { beforeEach, expect, test } from 'vitest';
import { VideoDeck, type DeckSide } from './video-deck.ts';
import type { VideoPlayer } from './video-player.ts';

const FRAME_SECONDS = 0.04;
/** The laps are a kilometre at 25 and at 20 m/s, filmed from 4 and from 9 seconds before. */
const meters = Array.from({ length: 101 }, (_, index) => index * 10);

/** Records what a deck asks of it, and shows what a test says. */
class FakePlayer implements VideoPlayer {
  readonly isExact: boolean;
  readonly frameSeconds = FRAME_SECONDS;
  shown = Number.NaN;
  plays = false;
  rate = 1;
  duration = 100;
  sought: number[] = [];

  constructor(isExact = true) {
    this.isExact = isExact;
  }

  durationSeconds = () => this.duration;
  shownSeconds = () => this.shown;
  /** Tells how far the video has gone on since the frame that it named last. */
  goneOn = 0;
  secondsAt = () => this.shown + this.goneOn;
  jumps = false;
  isJumping = () => this.jumps;
  jumpSeconds = () => 0;
  isPlaying = () => this.plays;
  seek = (seconds: number) => {
    this.sought.push(seconds);
    this.shown = Math.floor(seconds / FRAME_SECONDS) * FRAME_SECONDS;
  };
  play = () => {
    this.plays = true;
  };
  pause = () => {
    this.plays = false;
  };
  setRate = (rate: number) => {
    this.rate = rate;
  };
  setMuted = () => {};
  close = () => {};
}

function sideOf(player: VideoPlayer, metersPerSecond: number, leadSeconds: number): DeckSide {
  const elapsedMs = meters.map((place) => (place / metersPerSecond) * 1_000);
  const clock = { videoSeconds: leadSeconds, timeMs: 0, rate: 1 };
  return { player, places: { meters, elapsedMs }, lapStartMs: 0, clock, recording: null };
}

let deck: VideoDeck;
let first: FakePlayer;
let second: FakePlayer;
let places: number[];

beforeEach(() => {
  [first, second, places] = [new FakePlayer(), new FakePlayer(), []];
  deck = new VideoDeck([0, 400, 700]);
  deck.listen({ onPlace: (place) => places.push(place), onChange: () => {} });
  deck.setSide(0, sideOf(first, 25, 4));
  deck.setSide(1, sideOf(second, 20, 9));
});

/** Lets the first video show a frame. */
function show(seconds: number): void {
  first.shown = seconds;
  deck.showFrame(0, seconds, 0);
}

test('the cursor takes both videos to its place, and their frames do not take it away', () => {
  deck.moveTo(500);
  expect([first.sought.at(-1), second.sought.at(-1)]).toEqual([24, 34]);
  show(first.shown);
  expect(places).toEqual([]);
});

test('a step shows the neighbouring frame, and the cursor and the other video follow', () => {
  deck.moveTo(500);
  deck.stepFrame(1);
  expect(first.shown).toBeCloseTo(24.04, 9);
  show(first.shown);
  expect(places.at(-1)).toBeCloseTo(501, 6);
  expect(Math.abs(second.shown - 34.05)).toBeLessThanOrEqual(FRAME_SECONDS);
  deck.stepFrame(-1);
  expect(first.shown).toBeCloseTo(24, 9);
});

test('steps that come quicker than frames all count', () => {
  deck.moveTo(500);
  const shown = first.shown;
  first.jumps = true;
  for (let count = 0; count < 3; count += 1) {
    deck.stepFrame(1);
    first.shown = shown;
  }
  expect(first.sought.at(-1)).toBeCloseTo(shown + 3.5 * FRAME_SECONDS, 9);
});

test('the second video plays at the pace of its lap at the same place, jumps when far off and catches up when near', () => {
  deck.moveTo(0);
  deck.play();
  second.shown = 9 + 0.05;
  show(4.04);
  expect(second.rate).toBeCloseTo(25 / 20, 2);
  second.sought = [];
  second.shown = 9.3;
  show(4.4);
  expect(second.sought).toEqual([]);
  expect(second.rate).toBeGreaterThan(25 / 20 + 0.1);
  second.shown = 12;
  show(4.8);
  expect(second.sought.at(-1)).toBeCloseTo(10, 6);
});

test('a pause sets both videos and the cursor to the place, whatever they have shown last', () => {
  deck.moveTo(0);
  deck.play();
  second.shown = 9.04;
  show(4.04);
  [first.sought, second.sought] = [[], []];
  deck.pause();
  expect(first.sought).toEqual([expect.closeTo(4.06, 6)]);
  expect(second.sought).toEqual([expect.closeTo(9.075, 6)]);
  // No frame is reported after the jump.
  expect(places.at(-1)).toBeCloseTo(1.5, 6);
});

test('a pause between two frames sets the videos to the middle of the one that is shown', () => {
  deck.moveTo(0);
  deck.play();
  show(4.04);
  first.goneOn = 0.075;
  first.sought = [];
  deck.pause();
  expect(first.sought).toEqual([expect.closeTo(4.1, 6)]);
});

test('a pause while the videos jump leaves them at the place that was chosen', () => {
  show(10);
  deck.play();
  deck.moveTo(500);
  first.jumps = true;
  first.shown = 10;
  deck.pause();
  expect([first.sought.at(-1), second.sought.at(-1)]).toEqual([24, 34]);
});

test('slow motion counts for both', () => {
  deck.setSpeed(0.25);
  deck.play();
  second.shown = 9.05;
  show(4.04);
  expect([first.rate, second.rate].map((rate) => Number(rate.toFixed(2)))).toEqual([0.25, 0.31]);
});

test('the lap ends, and a loop begins again', () => {
  deck.play();
  show(44);
  expect([deck.isPlaying, first.plays, second.plays]).toEqual([false, false, false]);
  deck.setLoop({ fromMeters: 400, toMeters: 700 });
  deck.play();
  expect(first.sought.at(-1)).toBe(20);
  show(31.99);
  expect([deck.isPlaying, first.sought.at(-1)]).toEqual([true, 20]);
});

test('a video that begins later or has ended waits for its place', () => {
  second.duration = 20;
  deck.play();
  show(30);
  expect(second.plays).toBe(false);
  show(8);
  expect(second.plays).toBe(true);
});

test('a player of another site is set again only where a stretch begins', () => {
  const remote = new FakePlayer(false);
  deck.setSide(1, sideOf(remote, 20, 9));
  deck.play();
  remote.sought = [];
  remote.shown = 0;
  show(19.8);
  expect(remote.sought).toEqual([]);
  show(20.2);
  expect(remote.sought).toHaveLength(1);
});

test('a video that is not in step leads nothing', () => {
  deck.setSide(0, { ...sideOf(first, 25, 4), clock: null });
  show(20);
  expect(places).toEqual([]);
  deck.showFrame(1, 19, 0);
  expect(places).toEqual([200]);
});
