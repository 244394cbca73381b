/**
 * Lists names that only simulators and their exporters have. Words that a real driver writes too, such as 'Gran Turismo', 'Forza'
 * or 'Competizione', count with the rest of the title only: a real drive that is taken for a simulated one loses its place on the boards.
 */
const SIMULATOR_NAME = new RegExp(
  [
    'assetto ?corsa',
    'i ?racing',
    'r ?factor(?: ?2)?',
    'automobilista 2',
    'raceroom racing experience',
    'le mans ultimate',
    'project cars [23]',
    'beamng',
    'gran turismo (?:[4-7]|sport)',
    'forza (?:motorsport|horizon)',
    'simhub',
  ]
    .map((name) => `(?<![a-z])${name}(?![a-z])`)
    .join('|'),
  'i',
);

/** Assetto Corsa and its exporters write the folders of the maker's own tracks and cars: `ks_nurburgring`. */
const ASSETTO_CORSA_FOLDER = /^\W*ks_[a-z]/i;

/** Says why a simulated drive proposes no track: the line in a simulator may lie elsewhere than the real one. */
export const NO_TRACK_OF_SIMULATOR =
  'This file was written by a simulator; only a real drive can propose a track.';

/** Returns whether what a file says of its device, venue, event or comment names a simulator. */
export function namesSimulator(texts: readonly string[]): boolean {
  return texts.some((text) => SIMULATOR_NAME.test(text) || ASSETTO_CORSA_FOLDER.test(text));
}
