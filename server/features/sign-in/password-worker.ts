import { dictionary, adjacencyGraphs } from '@zxcvbn-ts/language-common';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { workInBackground } from '#server/kernel/workers/work-in-background.ts';

/** A worker file: the list of leaked passwords is loaded, and passwords are rated, in a thread of their own. */

// The time for a rating grows with the square of the length: the worst 40 characters take some 30 ms.
const RATED_CHARACTERS_MAX = 40;

// A cartoon made this password famous, and the lists of leaked ones lack it.
const FAMOUS = ['correcthorsebatterystaple', 'correct horse battery staple', 'correct-horse-battery-staple'];

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: RATED_CHARACTERS_MAX });
workInBackground();

export type RatePasswordTask = { password: string; personal: readonly string[] };

/** Estimates how many guesses a password needs. Of a long one, the better of its beginning and its end counts. */
export function ratePassword({ password, personal }: RatePasswordTask): number {
  // Parts of an e-mail address or a host are rated too: `ana.li@club.example` gives `ana`, `li`, `club`. So are the words together.
  const words = personal
    .flatMap((text) => [text, text.replaceAll(/[^\p{L}\p{N}]+/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2);
  const parts = [password.slice(0, RATED_CHARACTERS_MAX), password.slice(-RATED_CHARACTERS_MAX)];
  return Math.max(...[...new Set(parts)].map((part) => rate(part, words)));
}

function rate(part: string, words: readonly string[]): number {
  return zxcvbn.check(part, ['pitboard', ...FAMOUS, ...words]).guesses;
}
