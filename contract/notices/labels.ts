/** The kinds of notices that drivers can switch off, in the order of the settings. */
export const NOTICE_KINDS = [
  'rank_lost',
  'record_lost',
  'new_rival',
  'lap_decided',
  'lap_questioned',
  'lap_answered',
  'proposal_approved',
  'proposal_corrected',
  'proposal_removed',
  'track_merged',
  'file_refused',
  'tracks_asked',
  'tracks_fetched',
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Adds the kinds that cannot be switched off: another person may have changed how the driver signs in. */
export const ALL_NOTICE_KINDS = [...NOTICE_KINDS, 'sign_in_changed'] as const;

export const NOTICE_KIND_LABELS: Record<NoticeKind, { label: string; hint: string }> = {
  rank_lost: { label: 'Positions lost', hint: 'Somebody overtakes you on a board.' },
  record_lost: { label: 'Records lost', hint: 'Somebody beats a track record of yours.' },
  new_rival: { label: 'New rivals', hint: 'Somebody joins a board in the same car model as you.' },
  lap_decided: { label: 'Decisions on your laps', hint: 'A flagged lap of yours is kept or rejected.' },
  lap_questioned: {
    label: 'Questions about your laps',
    hint: 'A moderator asks about a flagged lap of yours.',
  },
  lap_answered: { label: 'Answers of drivers', hint: 'A driver answers what you asked as a moderator.' },
  proposal_approved: { label: 'Proposals', hint: 'A track or a car that you proposed becomes official.' },
  proposal_corrected: {
    label: 'Corrected proposals',
    hint: 'A moderator corrects a track that you proposed.',
  },
  proposal_removed: {
    label: 'Removed tracks',
    hint: 'A track that you proposed, or have laps on, is removed.',
  },
  file_refused: {
    label: 'Refused files',
    hint: 'A driver sends you, as an owner, a file that could not be read.',
  },
  tracks_asked: {
    label: 'Wanted tracks',
    hint: 'A driver asks you, as an administrator, to get a set of tracks.',
  },
  tracks_fetched: { label: 'Fetched tracks', hint: 'A set of tracks that you asked for is here.' },
  track_merged: { label: 'Merged tracks', hint: 'A track of yours becomes another one, with your laps.' },
};
