import { joinModelAndVariant } from '#contract/cars/names.ts';
import type { ExportFormat } from '#engine/export/formats.ts';
import type { LapReason as TimingReason } from '#engine/timing/laps.ts';

export const TIRE_COMPOUNDS = ['street-300', 'track-200', 'rcomp', 'full-slick'] as const;

export type TireCompound = (typeof TIRE_COMPOUNDS)[number];

export const TIRE_LABELS: Record<TireCompound, string> = {
  'street-300': 'Street 300+ TW',
  'track-200': 'Track Street 200 TW',
  rcomp: 'R-Comp DOT Slick',
  'full-slick': 'Full Slick',
};

export const TIME_PERIODS = ['all-time', '1-month', '6-months', '1-year'] as const;

export type TimePeriod = (typeof TIME_PERIODS)[number];

/** The reasons why a lap does not count, or counts with a warning: its file, a comparison with other laps, or the choice of its driver. */
export type LapReason =
  | TimingReason
  | 'sample'
  | 'recorded_before'
  | 'left_out'
  | 'rejected_by_moderator'
  | 'ranked_by_moderator';

/** The messages are true of laps that count as well: a direction or an outline may be wrong, and the lap right. */
export const LAP_REASON_MESSAGES: Record<LapReason, string> = {
  rejected_by_moderator: 'A moderator rejected this lap.',
  ranked_by_moderator: 'A moderator lets this lap rank.',
  gap_in_data: 'The GPS data has a gap in this lap.',
  impossible_jump: 'The GPS position jumps in this lap in a way no car can drive.',
  wrong_direction:
    'This lap was driven against the direction of the track, or the track has the wrong direction here.',
  too_short: 'This lap is too short for the track.',
  too_long: 'This lap is too long for the track.',
  off_track:
    'This lap leaves the outline of the track for a long way: another layout, a cut corner, or a wrong outline.',
  impossible_speed: 'No car could drive this lap at that average speed.',
  slow_for_track: 'This lap is slow for a lap of this track.',
  impossible_acceleration: 'No car brakes, turns or accelerates as hard as this lap does.',
  speeds_disagree: 'The speeds in the file do not fit the positions and times of this lap.',
  filled_in: 'Part of this lap was filled in with straight lines instead of GPS positions.',
  repeated_positions: 'This lap has the very same GPS positions as another part of the file.',
  clock_changed: 'The clock of the file does not run evenly through this lap.',
  odd_clock: 'The time stamps do not have the rhythm of a GPS receiver.',
  coarse_time_stamps: 'The time stamps in the file are too coarse to rank this lap.',
  timed_by_logger: 'This lap was timed by the logger, not by us.',
  out_lap: 'This is an out lap.',
  in_lap: 'This is an in lap.',
  simulated: 'This lap was driven in a simulator: it does not rank with real laps.',
  sample: 'This lap is of a sample file: it was simulated, and does not rank with real laps.',
  recorded_before: 'This very lap was uploaded before, in another lap file.',
  left_out: 'Its driver has left this lap out.',
};

export const EXPORT_FORMATS = [
  'vbo',
  'gpx',
  'racechrono',
  'geojson',
] as const satisfies readonly ExportFormat[];

export const EXPORT_LABELS: Record<ExportFormat, string> = {
  vbo: 'VBO, for Circuit Tools and RaceRender',
  gpx: 'GPX, for maps and most other programs',
  racechrono: 'CSV as RaceChrono writes it',
  geojson: 'GeoJSON, for maps and programs of your own',
};

type RecordedCar = { carMake: string | null; carModel: string | null; carVariant: string | null };

/** Joins make, model and variant, as far as known. */
export function formatCarName({ carMake, carModel, carVariant }: RecordedCar): string {
  return [carMake, joinModelAndVariant(carModel ?? '', carVariant ?? '')].filter(Boolean).join(' ');
}

export function evidenceLabel(kind: string): string {
  const known = LAP_EVIDENCE.find((one) => one === kind);
  return known ? EVIDENCE_LABELS[known] : kind;
}

export function tireLabel(tireCompound: string | null | undefined): string {
  if (!tireCompound) return 'Unknown';
  return isTireCompound(tireCompound) ? TIRE_LABELS[tireCompound] : tireCompound;
}

function isTireCompound(value: string): value is TireCompound {
  return Object.hasOwn(TIRE_LABELS, value);
}

export const LAP_EVIDENCE = ['file', 'video', 'video-gps', 'official'] as const;

export type LapEvidence = (typeof LAP_EVIDENCE)[number];

export const EVIDENCE_LABELS: Record<LapEvidence, string> = {
  file: 'Lap file',
  video: 'Video',
  'video-gps': 'Camera GPS',
  official: 'Official',
};
