import type { EditedTrack, TrackChange } from './library-queries.ts';

/** Reads the fields of a form that differ from the track; equal ones are not sent. The server validates them. */
export function readTrackForm(form: FormData, track: EditedTrack): TrackChange {
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
  const lengthMeters = read('lengthMeters') === '' ? null : Number(read('lengthMeters'));
  if (lengthMeters !== track.lengthMeters) change.lengthMeters = lengthMeters;
  // An empty field means no radius, and the server refuses 0 with a sentence.
  const radiusMeters = Number(read('radiusMeters'));
  if (radiusMeters !== track.radiusMeters) change.radiusMeters = radiusMeters;
  return change;
}
