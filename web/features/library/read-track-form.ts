import { readNumber } from '#web/ui/read-field.ts';
import type { EditedTrack, TrackChange } from './library-queries.ts';

/**
 * Reads the fields of a form that differ from the track, because equal ones are not sent, or returns its problems by field. Whether
 * a number is allowed is left to the server.
 */
export function readTrackForm(form: FormData, track: EditedTrack) {
  const read = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const change: TrackChange = {};
  if (read('name') !== track.name) change.name = read('name');
  for (const name of ['configuration', 'location', 'country'] as const) {
    const value = read(name) || null;
    if (value !== track[name]) change[name] = value;
  }
  const status = read('status');
  if ((status === 'official' || status === 'community_submitted') && status !== track.status) {
    change.status = status;
  }
  const lengthMeters = readNumber(read('lengthMeters'));
  if (lengthMeters !== track.lengthMeters) change.lengthMeters = lengthMeters;
  // An empty field means no radius, and the server refuses 0 with a sentence.
  const radiusMeters = readNumber(read('radiusMeters')) ?? 0;
  if (radiusMeters !== track.radiusMeters) change.radiusMeters = radiusMeters;
  const problems = listNumberProblems({ lengthMeters, radiusMeters });
  return Object.keys(problems).length > 0 ? { problems } : { change };
}

function listNumberProblems(numbers: Record<string, number | null>): Record<string, string> {
  const wrong = Object.keys(numbers).filter((name) => Number.isNaN(numbers[name]));
  return Object.fromEntries(wrong.map((name) => [name, 'Type a number, such as 5278.4.']));
}
