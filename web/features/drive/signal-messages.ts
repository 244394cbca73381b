import type { FixKind } from '#engine/receivers/live-fix.ts';
import type { SignalState, SourceState } from './drive-state.ts';
import type { Toast } from '#web/ui/toasts.ts';
import type { StorageProblem } from './storage/recording-calls.ts';

/** Says that nothing can be done with a recording. */
export const UNREADABLE: Toast = {
  destructive: true,
  title: 'No file',
  description: 'This browser cannot read the file of this recording.',
};

/** A receiver that says nothing for this long has lost its signal. The slowest give one position a second. */
export const NO_SIGNAL_AFTER_MS = 2_000;

const PROBLEMS: Record<StorageProblem, string> = {
  full: 'Stopped: this phone is full',
  busy: 'Stopped: another tab records',
  unsupported: 'Stopped: no storage',
  other: 'Stopped: not written',
};

/** Says in a few words why nothing is recorded any more. */
export function describeProblem(problem: StorageProblem): string {
  return PROBLEMS[problem];
}

const EXPLANATIONS: Record<StorageProblem, string> = {
  full: 'This phone has no space left, so the recording stopped. Everything up to then is kept.',
  busy: 'Another tab writes this recording. Go on there, or close it.',
  unsupported:
    'This browser cannot store a recording safely. Use Chrome, Edge, Firefox 111 or Safari 15.2, or newer, and no private window.',
  other: 'The recording could not be written any more. Everything up to then is kept.',
};

/** Says in a sentence what stopped the recording, and what is left of it. */
export function explainProblem(problem: StorageProblem): string {
  return EXPLANATIONS[problem];
}

const RECONNECTING = 'Connection lost, reconnecting…';
const NO_POSITION = 'No position. Switch the location of this device on, and give it a free view of the sky.';

/** Says whether the receiver sees enough of the sky. */
export function describeFix(source: SourceState, signal: SignalState): { text: string; isReady: boolean } {
  if (source.connection === 'lost') {
    return { text: source.transport === 'phone' ? NO_POSITION : RECONNECTING, isReady: false };
  }
  if (signal.lastFixAtMs === null) return { text: 'Connected, waiting for data…', isReady: false };
  const advice = ADVICE[signal.fixKind ?? (signal.position === null ? 'unknown' : 'known')];
  return { text: advice ?? (signal.fixKind === '3d' ? 'Ready, 3D fix' : 'Ready'), isReady: advice === null };
}

const ADVICE: Record<FixKind | 'unknown' | 'known', string | null> = {
  '3d': null,
  known: null,
  '2d': 'Weak: 2D fix. Give it a free view of the sky.',
  none: 'No fix yet. Give it a free view of the sky.',
  unknown: 'No position yet. Give it a free view of the sky.',
};
