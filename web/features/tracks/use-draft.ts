import { useEffect, useMemo, useState } from 'react';
import type { Track } from '#engine/track.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { linesOfRun, type TrackLines, type Way } from './edit-lines.ts';
import type { TrackMaker } from './track-maker.ts';
import type { DraftTrack } from './track-worker.ts';

/** Until a line stays where it is for a moment, the laps are not timed again. */
const TIMING_DELAY_MS = 80;

/** A draft whose lines are moved on its first outline; null while no lap goes over them. */
export function useDraft(maker: TrackMaker, first: DraftTrack) {
  const way: Way = useMemo(
    () => ({ outline: first.track.outline ?? [], isOpen: Boolean(first.track.finishLine) }),
    [first],
  );
  const [lines, setLines] = useState<TrackLines>(() => linesOfTrack(first.track));
  const [draft, setDraft] = useState<DraftTrack | null>(first);
  const settled = useDebounced(lines, TIMING_DELAY_MS);
  useEffect(() => {
    let isCurrent = true;
    const show = (timed: DraftTrack | null) => {
      if (isCurrent) setDraft(timed);
    };
    maker
      .time(linesOfRun(way, settled))
      .then(show)
      .catch(() => show(null));
    return () => {
      isCurrent = false;
    };
  }, [maker, way, settled]);
  return { way, lines, setLines, draft };
}

/** The lines of a track with a start/finish line. */
export function linesOfTrack({ startFinishLine, finishLine = null, sectors }: Track): TrackLines {
  if (startFinishLine === null) throw new Error('A draft has a line.');
  return { startFinishLine, finishLine, sectors };
}
