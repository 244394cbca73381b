import { useEffect, useMemo, useState } from 'react';
import type { Track } from '#engine/track.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { removeLinesOutsideRun, type TrackLines, type Path } from './edit-lines.ts';
import type { TrackMaker } from './track-maker.ts';
import type { DraftTrack } from './track-worker.ts';

/** The laps are timed again after a line has not moved for this time. */
const TIMING_DELAY_MS = 80;

/** Keeps a draft whose lines are moved on its first outline; null while no lap crosses them. */
export function useDraft(maker: TrackMaker, first: DraftTrack) {
  const path: Path = useMemo(
    () => ({ outline: first.track.outline ?? [], isOpen: Boolean(first.track.finishLine) }),
    [first],
  );
  const [lines, setLines] = useState<TrackLines>(() => pickTrackLines(first.track));
  const [draft, setDraft] = useState<DraftTrack | null>(first);
  const settled = useDebounced(lines, TIMING_DELAY_MS);
  useEffect(() => {
    let isCurrent = true;
    const show = (timed: DraftTrack | null) => {
      if (isCurrent) setDraft(timed);
    };
    maker
      .time(removeLinesOutsideRun(path, settled))
      .then(show)
      .catch(() => show(null));
    return () => {
      isCurrent = false;
    };
  }, [maker, path, settled]);
  return { path, lines, setLines, draft };
}

/** Returns the lines of a track with a start/finish line. */
export function pickTrackLines({ startFinishLine, finishLine = null, sectors }: Track): TrackLines {
  if (startFinishLine === null) throw new Error('A draft has a line.');
  return { startFinishLine, finishLine, sectors };
}
