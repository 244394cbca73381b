import type { EditedTrack, TrackChange } from './library-queries.ts';

/** What a form says otherwise than the track; what is the same is not sent. The server says what is wrong. */
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
  // An empty field is no radius, and 0 is refused with a sentence.
  const radiusMeters = Number(read('radiusMeters'));
  if (radiusMeters !== track.radiusMeters) change.radiusMeters = radiusMeters;
  return change;
}
