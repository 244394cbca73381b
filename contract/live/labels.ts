/** `link` shows a live session to those who know its code, `everybody` lists it as well. */
export const LIVE_VISIBILITIES = ['link', 'everybody'] as const;

export type LiveVisibility = (typeof LIVE_VISIBILITIES)[number];

/** `pits`: slow for a while. `out_lap`: moving, before the next crossing of the start line. */
export const LIVE_STATES = ['pits', 'out_lap', 'on_track'] as const;

export type LiveState = (typeof LIVE_STATES)[number];

/** The limits of live sharing that the sender keeps to, and that the server enforces. */
export const LIVE_LIMITS = {
  fixesPerBatchMax: 300,
  speedMaxMetersPerSecond: 200,
  accuracyMaxMeters: 10_000,
  /** The phone sends a batch this often. A wall adds 200 ms and the network, so a fix is there within a second. */
  batchEveryMs: 500,
  /** Leaves room for what waits after a hole in the network, and for 50 drivers behind one address. */
  batchesPerMinuteMax: 600,
  /** Fixes that are older than this are of no use to those who watch. */
  fixAgeMaxMs: 10 * 60_000,
  /** The clock of a computer may be this wrong. */
  clockErrorMaxMs: 2 * 60_000,
  driversPerSessionMax: 100,
  titleCharactersMax: 80,
  /** A driver who sends nothing for this long leaves the session. */
  silenceMaxMs: 20 * 60_000,
  sessionLastsMs: 14 * 60 * 60_000,
} as const;

/** A driver whose last fix came this long ago has no signal. */
export const NO_SIGNAL_AFTER_MS = 60_000;

/** A driver whose last fix came this long ago is not shown as on track. */
export const SIGNAL_LATE_AFTER_MS = 5_000;
