import type {
  ApexTrap,
  CarProblem,
  CreatedTrack,
  NewCar as LibraryCar,
  ParsedApexTrack,
  ParsedTrack,
  TrackDifference,
  UpdatableField,
} from '#contract/admin.ts';
import type { Answer } from '../call-api.ts';

/** A track of a file as it is answered, to be reviewed and sent back: fields may be missing. */
export type RawTrack = Partial<ParsedTrack> & { update?: UpdatableField[] };

type AnsweredTrackResult = { status: string } & Partial<Omit<CreatedTrack, 'status'>>;

/** The result of importing one track. */
export type TrackResult = Pick<CreatedTrack, 'status' | 'message'> & {
  /** In the file, from 1. */
  row: number;
  name: string;
  configuration: string | null;
  location: string | null;
  country: string | null;
  /** Null where there is no track to link. */
  trackId: string | null;
  /** What the library has otherwise; empty where nothing can be updated. */
  differences: readonly TrackDifference[];
  /** As it was sent. */
  raw: RawTrack;
};

const DEFAULT_MESSAGES: Record<TrackResult['status'], string> = {
  success: 'Added to the library.',
  exists: 'The library has this track already.',
  updated: 'The track was updated.',
  error: 'This track could not be imported.',
};

/** Reads the results of an import, in the order of the tracks that were sent. */
export function readTrackResults(
  answer: readonly AnsweredTrackResult[],
  sent: readonly RawTrack[],
): TrackResult[] {
  const byRow = new Map(answer.map((result, index) => [result.row ?? index + 1, result]));
  return sent.map((track, index) => readTrackResult(byRow.get(index + 1), track, index));
}

function readTrackResult(
  answered: AnsweredTrackResult | undefined,
  sent: RawTrack,
  index: number,
): TrackResult {
  const status = readStatus(answered?.status);
  const { message = DEFAULT_MESSAGES[status], trackId = null, ...names } = { ...sent, ...answered };
  return {
    row: sent.row ?? index + 1,
    status,
    message,
    name: names.name ?? `Track ${index + 1}`,
    configuration: names.configuration ?? null,
    location: names.location ?? null,
    country: names.country ?? null,
    trackId,
    differences: answered?.differences ?? [],
    raw: sent,
  };
}

/** Any word but success means a failure in the specification; `exists` and `updated` are our own. */
function readStatus(status: string | undefined): TrackResult['status'] {
  return status === 'success' || status === 'exists' || status === 'updated' ? status : 'error';
}

/** A track with its traps as it is answered. */
export type RawApexTrack = {
  track?: Partial<ParsedApexTrack['track']>;
  traps?: readonly (Pick<ApexTrap, 'type'> & Partial<ApexTrap>)[];
} & Partial<Pick<ParsedApexTrack, 'row' | 'problems' | 'warnings'>>;

export type ApexAnswer = { tracks?: readonly RawApexTrack[] } | readonly RawApexTrack[];

export type ApexTrack = {
  row: number;
  name: string;
  configuration: string | null;
  city: string | null;
  country: string | null;
  geofenceRadiusM: number | null;
  trapCount: number;
  startFinishCount: number;
  problems: readonly string[];
  warnings: readonly string[];
  /** As it was answered, to be sent back. */
  raw: RawApexTrack;
};

/** Reads the tracks of a file: a list, or a list named `tracks`. */
export function readApexTracks(answer: ApexAnswer): ApexTrack[] {
  const tracks = 'tracks' in answer ? (answer.tracks ?? []) : answer;
  return Array.isArray(tracks) ? tracks.map(readApexTrack) : [];
}

function readApexTrack(raw: RawApexTrack, index: number): ApexTrack {
  const { track = {}, traps = [], problems = {}, warnings = [] } = raw;
  const row = raw.row ?? index + 1;
  return {
    row,
    name: track.name ?? `Track ${row}`,
    configuration: track.configuration ?? null,
    city: track.city ?? null,
    country: track.country ?? null,
    geofenceRadiusM: track.geofenceRadiusM ?? null,
    trapCount: traps.length,
    startFinishCount: traps.filter(({ type }) => type === 'start_finish').length,
    problems: Object.values(problems),
    warnings,
    raw,
  };
}

/** The answer to an import of apex tracks; the warnings may be part of the summary. */
export type ApexImportAnswer = {
  summary: { tracksUpserted: number; trapsUpserted: number; warnings?: readonly string[] };
  warnings?: readonly string[];
};

export type ApexImport = { tracksUpserted: number; trapsUpserted: number; warnings: readonly string[] };

export function readApexImport({ summary, warnings }: ApexImportAnswer): ApexImport {
  return {
    tracksUpserted: summary.tracksUpserted,
    trapsUpserted: summary.trapsUpserted,
    warnings: warnings ?? summary.warnings ?? [],
  };
}

type MigrationResult = Answer<'POST /api/apex/migrate-to-main'>;

export type MigrationAnswer = Pick<MigrationResult, 'success' | 'error'> & {
  summary?: Partial<MigrationResult['summary']>;
  warnings?: readonly string[];
};

/** The result of a migration; counts are null where they are not answered. */
export type Migration = {
  success: boolean;
  migrated: number | null;
  existing: number | null;
  skipped: number | null;
  warnings: readonly string[];
  error: string | null;
};

export function readMigration({ success, summary, warnings, error }: MigrationAnswer): Migration {
  return {
    success,
    migrated: summary?.migrated ?? null,
    existing: summary?.existing ?? null,
    skipped: summary?.skipped ?? null,
    warnings: warnings ?? [],
    error: error ?? null,
  };
}

/** A car of a file; it is sent back as it was answered. */
export type NewCar = Partial<LibraryCar>;

type CarCounts = { total: number; new: number; existing: number };

export type CarPreviewAnswer = {
  summary: CarCounts & { withProblems?: number };
  newCars?: readonly NewCar[];
  problems?: readonly CarProblem[];
};

/** What a file of cars would change in the library. */
export type CarPreview = {
  summary: CarCounts & { withProblems: number };
  newCars: readonly NewCar[];
  problems: readonly CarProblem[];
};

export function readCarPreview({ summary, newCars = [], problems = [] }: CarPreviewAnswer): CarPreview {
  return {
    summary: { ...summary, withProblems: summary.withProblems ?? problems.length },
    newCars,
    problems,
  };
}

export type CarImportAnswer = {
  imported: number;
  existing?: number;
  problems?: readonly CarProblem[];
};

/** The result of an import of cars. */
export type CarImport = Required<CarImportAnswer>;

export function readCarImport({ imported, existing = 0, problems = [] }: CarImportAnswer): CarImport {
  return { imported, existing, problems };
}
