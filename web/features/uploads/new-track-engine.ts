import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { courseOfLaps } from '#engine/proposal/course-of-laps.ts';
import { lineOnOutline } from '#engine/proposal/line-on-outline.ts';
import { proposeTracks } from '#engine/proposal/propose-tracks.ts';
import { openLapFile, type TimedLaps } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import type { Track } from '#engine/track.ts';

// Loaded when a driver adds a track: the page of uploads is quick without the engine.

/** A track that is being made, and what the laps of the file come to on it. */
export type DraftTrack = {
  track: Track;
  lapCount: number;
  bestLapTimeMs: number | null;
};

/** What a lap file shows of a track that the library lacks. */
export type TrackMaker = {
  first: DraftTrack;
  /** The same circuit with its line at another point of the first outline; null where no lap goes over it. */
  withLineAt: (outlineIndex: number) => DraftTrack | null;
};

/** Finds the track that a lap file shows; a sentence where it shows none. */
export async function openTrackMaker(file: File): Promise<TrackMaker | string> {
  try {
    const opened = openLapFile(new Uint8Array(await file.arrayBuffer()));
    const [proposal] = proposeTracks(opened);
    if (proposal === undefined)
      return 'Nothing in this drive repeats at racing speed, so we cannot tell where its track is.';
    const outline = proposal.track.outline ?? [];
    return {
      first: toDraft(proposal),
      withLineAt: (outlineIndex) => {
        const startFinishLine = lineOnOutline(outline, outlineIndex);
        if (startFinishLine === null) return null;
        const course = courseOfLaps(opened, { startFinishLine, finishLine: null, sectors: null });
        return course && toDraft(course);
      },
    };
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return error.message;
    throw error;
  }
}

function toDraft({ track, timed }: { track: Track; timed: TimedLaps }): DraftTrack {
  return { track, lapCount: timed.laps.filter(isRanking).length, bestLapTimeMs: timed.bestLapTimeMs };
}
