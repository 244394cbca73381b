import type { ApexTrap, ParsedApexTrack } from '#contract/admin.ts';

/** A track with its traps as any server may give it. */
export type RawApexTrack = {
  track?: Partial<ParsedApexTrack['track']>;
  traps?: readonly (Pick<ApexTrap, 'type'> & Partial<ApexTrap>)[];
} & Partial<Pick<ParsedApexTrack, 'row' | 'problems' | 'warnings'>>;

/** The answer to a file of apex tracks as any server may give it. */
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
  /** As it was told, to be sent back. */
  told: RawApexTrack;
};

/** Reads the tracks of a file. */
export function readApexTracks(answer: ApexAnswer): ApexTrack[] {
  const tracks = 'tracks' in answer ? (answer.tracks ?? []) : answer;
  return Array.isArray(tracks) ? tracks.map(readApexTrack) : [];
}

/** Whether a track can be migrated: laps begin and end at exactly one trap. */
export function hasOneStartFinish({ startFinishCount }: Pick<ApexTrack, 'startFinishCount'>): boolean {
  return startFinishCount === 1;
}

/** The tracks that have what is typed in their name, configuration, city or country, in either case. */
export function searchApexTracks(tracks: readonly ApexTrack[], typed: string): readonly ApexTrack[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return tracks;
  return tracks.filter((track) =>
    [track.name, track.configuration, track.city, track.country].some((text) =>
      text?.toLowerCase().includes(wanted),
    ),
  );
}

/** The answer to an import as any server may give it: the warnings may stand in the summary. */
export type ApexImportAnswer = {
  summary: { tracksUpserted: number; trapsUpserted: number; warnings?: readonly string[] };
  warnings?: readonly string[];
};

export type ApexImport = { tracksUpserted: number; trapsUpserted: number; warnings: readonly string[] };

/** Reads the answer to an import. */
export function readApexImport({ summary, warnings }: ApexImportAnswer): ApexImport {
  return {
    tracksUpserted: summary.tracksUpserted,
    trapsUpserted: summary.trapsUpserted,
    warnings: warnings ?? summary.warnings ?? [],
  };
}

const START_FINISH = 'start_finish';

function readApexTrack(told: RawApexTrack, index: number): ApexTrack {
  const { track = {}, traps = [], problems = {}, warnings = [] } = told;
  const row = told.row ?? index + 1;
  return {
    row,
    name: track.name ?? `Track ${row}`,
    configuration: track.configuration ?? null,
    city: track.city ?? null,
    country: track.country ?? null,
    geofenceRadiusM: track.geofenceRadiusM ?? null,
    trapCount: traps.length,
    startFinishCount: traps.filter(({ type }) => type === START_FINISH).length,
    problems: Object.values(problems),
    warnings,
    told,
  };
}
