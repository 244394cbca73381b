/**
 * How Citus spreads a table: over the nodes by the track that is in this column, so that all rows of a track lie on one node; as a
 * copy at every node, for what joins with tracks of any node and changes rarely; or not at all, on the coordinator, for what
 * is found by its own key or by its user.
 */
export type Spread = { byTrackIn: 'id' | 'track_id' } | 'every-node' | 'coordinator';

const byTrack: Spread = { byTrackIn: 'track_id' };

/** Every table, by how `npm run distribute` spreads it. Other databases know nothing of this. */
export const DISTRIBUTION: Readonly<Record<string, Spread>> = {
  tracks: { byTrackIn: 'id' },
  sessions: byTrack,
  laps: byTrack,
  session_bests: byTrack,
  events: byTrack,
  reference_lines: byTrack,
  corner_names: byTrack,
  session_videos: byTrack,
  track_proposals: byTrack,
  users: 'every-node',
  car_models: 'every-node',
  user_cars: 'every-node',
  lap_flags: 'every-node',
  lap_decisions: 'every-node',
  lap_questions: 'every-node',
  lap_evidence: 'every-node',
  saved_comparisons: 'every-node',
  lap_files: 'coordinator',
  notices: 'coordinator',
  notice_settings: 'coordinator',
  mail_digests: 'coordinator',
  mail_settings: 'coordinator',
  webhooks: 'coordinator',
  webhook_deliveries: 'coordinator',
  sign_ins: 'coordinator',
  api_tokens: 'coordinator',
  passwords: 'coordinator',
  passkeys: 'coordinator',
  recovery_codes: 'coordinator',
  one_time_tokens: 'coordinator',
  linked_identities: 'coordinator',
  deleted_sessions: 'coordinator',
  pending_files: 'coordinator',
  refused_files: 'coordinator',
  replay_positions: 'coordinator',
  merged_tracks: 'coordinator',
  removed_tracks: 'coordinator',
  loaded_libraries: 'coordinator',
  apex_tracks: 'coordinator',
  track_sets: 'coordinator',
  track_set_requests: 'coordinator',
  courses: 'coordinator',
  taken_uploads: 'coordinator',
  call_counts: 'coordinator',
  club_settings: 'coordinator',
  demo_community: 'coordinator',
  audit_log: 'coordinator',
  job_runs: 'coordinator',
  live_sessions: 'coordinator',
  live_sharings: 'coordinator',
  live_timings: 'coordinator',
  live_batches: 'coordinator',
  race_events: 'coordinator',
  race_event_courses: 'coordinator',
  race_event_classes: 'coordinator',
  race_event_entries: 'coordinator',
  race_event_runs: 'coordinator',
};

/** Returns the spread of a table. @throws Error for a table that is missing above */
export function findSpread(table: string): Spread {
  const spread = DISTRIBUTION[table];
  if (spread === undefined) {
    throw new Error(`Say in distribution.ts how the table ${table} is spread over the nodes of Citus.`);
  }
  return spread;
}

/** Returns whether Citus can hold a foreign key: within a track, to copies, and within the coordinator. */
export function canRefer(from: Spread, to: Spread): boolean {
  if (to === 'every-node') return true;
  return typeof to === 'object' ? typeof from === 'object' : from === 'coordinator';
}
