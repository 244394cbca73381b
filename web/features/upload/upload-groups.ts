import type { TrackId, UserCarId } from '#contract/ids.ts';
import type { QueuedLapFile } from './lap-file-queue.ts';

/** Describes what a lap file does not hold. Fields that are not filled in are empty. */
export type UploadDetails = { userCarId: UserCarId | ''; tireCompound: string; videoUrl: string };

export type TrackGroup = { trackId: TrackId; files: readonly QueuedLapFile[] };

/** Describes one call of an upload: files of one track with the same details. */
export type UploadCall = TrackGroup & { details: UploadDetails };

/** Holds the chosen files, and the chosen track. A file that was driven on another one has that in `matchedTrackId`. */
export type ChosenFiles = { queue: readonly QueuedLapFile[]; trackId: TrackId | null };

/** Holds what the driver has chosen and filled in. */
export type FilledIn = ChosenFiles & {
  details: UploadDetails;
  /** The details in which single files differ, by the id of the file. */
  overrides: Readonly<Record<string, Partial<UploadDetails>>>;
};

/** Groups the chosen files by track, in their order. Without files the chosen track is the one group; without a track there is none. */
export function groupFiles({ queue, trackId }: ChosenFiles): TrackGroup[] {
  if (trackId === null) return [];
  if (queue.length === 0) return [{ trackId, files: [] }];
  const groups = new Map<TrackId, QueuedLapFile[]>();
  for (const queued of queue) {
    const drivenOn = queued.matchedTrackId ?? trackId;
    groups.set(drivenOn, [...(groups.get(drivenOn) ?? []), queued]);
  }
  return [...groups].map(([trackId, files]) => ({ trackId, files }));
}

/** Returns true if the chosen files are from several tracks, so that their details may differ. */
export function hasSeveralTracks(upload: ChosenFiles): boolean {
  return groupFiles(upload).length > 1;
}

/** Returns the details of a file: its own, else those of the whole upload. */
export function getFileDetails({ details, overrides }: FilledIn, fileId: string): UploadDetails {
  const { userCarId = '', tireCompound = '', videoUrl = '' } = overrides[fileId] ?? {};
  return {
    userCarId: userCarId || details.userCarId,
    tireCompound: tireCompound || details.tireCompound,
    videoUrl: videoUrl.trim() === '' ? details.videoUrl : videoUrl,
  };
}

/**
 * Lists the calls that send what is not uploaded yet: one for the files of one track. Files of several tracks have a call each, because their
 * details may differ, and where the connection is lost, only the file that was being sent is sent again.
 */
export function listCalls(upload: FilledIn, cars: readonly { id: UserCarId }[] | undefined): UploadCall[] {
  const calls = groupFiles(upload).flatMap(({ trackId, files }): UploadCall[] => {
    const waiting = files.filter(({ status }) => status !== 'uploaded');
    if (!hasSeveralTracks(upload)) return [{ trackId, files: waiting, details: upload.details }];
    return waiting.map((queued) => ({
      trackId,
      files: [queued],
      details: getFileDetails(upload, queued.id),
    }));
  });
  return calls.map((call) => ({ ...call, details: omitRemovedCar(call.details, cars) }));
}

/** Empties a car that has left the garage since it was chosen; `cars` are undefined while they are not known. */
export function omitRemovedCar(
  details: UploadDetails,
  cars: readonly { id: UserCarId }[] | undefined,
): UploadDetails {
  const isThere = cars?.some(({ id }) => id === details.userCarId) ?? true;
  return isThere ? details : { ...details, userCarId: '' };
}
