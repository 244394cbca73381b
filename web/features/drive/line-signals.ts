import type { DriveSettings } from './drive-settings.ts';

const AHEAD_HERTZ = 1_320;
const BEHIND_HERTZ = 440;
const NEUTRAL_HERTZ = 880;
const TONE_SECONDS = 0.18;
const VIBRATIONS_MS = { ahead: [80], behind: [80, 90, 80] };

let audio: AudioContext | null = null;

/** Lets the page sound later: browsers allow that only from a press on. */
export function allowTones(): void {
  if (typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  void audio.resume().catch(() => undefined);
}

/** Sounds and vibrates at a line, as the driver wants it: high or once ahead, low or twice behind. */
export function signalLine(
  gapMs: number | null,
  { hasTone, hasVibration }: Pick<DriveSettings, 'hasTone' | 'hasVibration'>,
): void {
  if (hasTone && audio !== null) {
    playTone(audio, gapMs === null ? NEUTRAL_HERTZ : gapMs <= 0 ? AHEAD_HERTZ : BEHIND_HERTZ);
  }
  if (hasVibration)
    navigator.vibrate?.(gapMs !== null && gapMs > 0 ? VIBRATIONS_MS.behind : VIBRATIONS_MS.ahead);
}

function playTone(context: AudioContext, hertz: number): void {
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = hertz;
  const from = context.currentTime;
  volume.gain.setValueAtTime(0.6, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS);
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + TONE_SECONDS);
}
