export const RACE_EVENT_STATES = ['draft', 'open', 'running', 'provisional', 'official'] as const;

export type RaceEventState = (typeof RACE_EVENT_STATES)[number];

export const RACE_EVENT_STATE_LABELS: Record<RaceEventState, string> = {
  draft: 'Draft',
  open: 'Open for entries',
  running: 'Running',
  provisional: 'Provisional',
  official: 'Official',
};

export const RUN_STATUSES = ['timed', 'dnf', 'dns', 'dsq', 'rerun'] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

export const STATUS_LABELS: Record<RunStatus, string> = {
  timed: 'Timed',
  dnf: 'DNF',
  dns: 'DNS',
  dsq: 'DSQ',
  rerun: 'Rerun',
};

/** `shared`: totals that are closer than their ± share a place; `faster`: the faster figure decides. */
export const TIE_RULES = ['shared', 'faster'] as const;

export const EVENT_LIMITS = {
  nameCharactersMax: 80,
  descriptionCharactersMax: 4_000,
  daysMax: 7,
  coursesMax: 4,
  protestMinutesMax: 10_080,
  penaltyMsMax: 600_000,
  eventsPerPageMax: 100,
} as const;

export const CLASS_LIMITS = { nameCharactersMax: 40, classesMax: 40, indexMin: 0.1, indexMax: 2 } as const;

export const ENTRY_LIMITS = {
  entriesMax: 500,
  nameCharactersMax: 80,
  numberCharactersMax: 4,
  groupCharactersMax: 40,
  carCharactersMax: 80,
} as const;

export const RUN_LIMITS = {
  runsPerEntryMax: 100,
  timeMsMin: 1_000,
  timeMsMax: 86_400_000,
  penaltiesMax: 99,
  reasonCharactersMax: 300,
} as const;
