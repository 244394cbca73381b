import { create } from 'zustand';
import type { UploadOutcome } from '#web/api/specified-answers/uploads.ts';
import type { QueuedLapFile } from './lap-file-queue.ts';
import { findVideoProblem, type SubmitProblem, type UploadDetails } from './submit-checks.ts';
import type { UploadState } from './upload-state.ts';

// Files of several tracks in one go: a group for each track, with its car and tyres; single files may differ.

/** The files that were driven on one track. */
export type DayGroup = { trackId: string; files: QueuedLapFile[] };

type TrackDay = {
  /** What holds for all files of a track, by its id. */
  groups: Record<string, Partial<UploadDetails>>;
  /** What holds for one file alone, by its id. */
  files: Record<string, Partial<UploadDetails>>;
  /** What came of the last upload, by track. */
  outcomes: ({ trackId: string } & UploadOutcome)[];
};

export const EMPTY_DAY: TrackDay = { groups: {}, files: {}, outcomes: [] };

/** As the upload itself, this lives as long as the tab. */
export const useTrackDay = create<TrackDay>(() => EMPTY_DAY);

/** The groups of the chosen files; empty where all of them are of one track. */
export function listDayGroups({ queue, trackId }: Pick<UploadState, 'queue' | 'trackId'>): DayGroup[] {
  if (trackId === null) return [];
  const groups = new Map<string, QueuedLapFile[]>();
  for (const queued of queue) {
    const drivenOn = queued.matchedTrackId ?? trackId;
    groups.set(drivenOn, [...(groups.get(drivenOn) ?? []), queued]);
  }
  if (groups.size < 2) return [];
  return [...groups].map(([trackId, files]) => ({ trackId, files }));
}

/** The details of a group. What was filled in before the other tracks were found belongs to the chosen one. */
export function getGroupDetails(
  { groups }: Pick<TrackDay, 'groups'>,
  trackId: string,
  filledIn: UploadDetails,
): UploadDetails {
  return { ...filledIn, videoUrl: '', ...groups[trackId] };
}

/** The details of a file: its own, else those of its group. */
export function getFileDetails(
  day: Pick<TrackDay, 'groups' | 'files'>,
  { trackId, fileId }: { trackId: string; fileId: string },
  filledIn: UploadDetails,
): UploadDetails {
  const group = getGroupDetails(day, trackId, filledIn);
  const own = day.files[fileId] ?? {};
  return {
    userCarId: own.userCarId || group.userCarId,
    tireCompound: own.tireCompound || group.tireCompound,
    videoUrl: own.videoUrl ?? '',
  };
}

export type DayProblem = SubmitProblem & { trackId: string; fileId: string };

/** The first thing that keeps a file from being sent. Videos are not asked for: a day has more sessions than films. */
export function findDayProblem(
  groups: readonly DayGroup[],
  detailsOf: (file: { trackId: string; fileId: string }) => UploadDetails,
): DayProblem | null {
  for (const { trackId, files } of groups) {
    for (const { id: fileId } of files) {
      const problem = findFileProblem(detailsOf({ trackId, fileId }));
      if (problem !== null) return { ...problem, trackId, fileId };
    }
  }
  return null;
}

function findFileProblem({ userCarId, tireCompound, videoUrl }: UploadDetails): SubmitProblem | null {
  if (userCarId === '') {
    return {
      title: 'No car selected',
      description: 'Please select a car from your garage.',
      field: 'userCarId',
    };
  }
  if (tireCompound === '') {
    return {
      title: 'No tire category selected',
      description: 'Please select a tire category.',
      field: 'tireCompound',
    };
  }
  const problem = videoUrl.trim() === '' ? null : findVideoProblem(videoUrl);
  return problem && { ...problem, field: 'videoUrl' };
}

export function changeGroup(trackId: string, change: Partial<UploadDetails>): void {
  useTrackDay.setState(({ groups }) => ({
    groups: { ...groups, [trackId]: { ...groups[trackId], ...change } },
  }));
}

export function changeFile(fileId: string, change: Partial<UploadDetails>): void {
  useTrackDay.setState(({ files }) => ({ files: { ...files, [fileId]: { ...files[fileId], ...change } } }));
}

/** Joins what came of two files of one track: the second was uploaded after the first. */
export function joinOutcomes(first: UploadOutcome | undefined, second: UploadOutcome): UploadOutcome {
  if (first === undefined) return second;
  const results = [...first.results, ...second.results];
  if (first.best === null || second.best === null) return { results, best: second.best ?? first.best };
  const { previous, isNew, sectors: before } = first.best;
  const sectors = second.best.sectors.map((sector, index) => ({
    name: sector.name,
    timeMs: quicker(sector.timeMs, before[index]?.timeMs ?? null),
    previousTimeMs: before[index]?.previousTimeMs ?? null,
  }));
  return { results, best: { ...second.best, previous, isNew: isNew || second.best.isNew, sectors } };
}

function quicker(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
