import { useEffect, useMemo, useState } from 'react';
import type { Track } from '#engine/track.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { removeLinesOutsideRun, type TrackLines, type Path } from './edit-lines.ts';
import type { TrackMaker } from './track-maker.ts';
import type { DraftTrack } from './track-worker.ts';

/** The laps are timed again after a line has not moved for this time. */
const TIMING_DELAY_MS = 80;

/** Lines, and the draft that they make. */
type Timed = { lines: TrackLines; draft: DraftTrack | null };

/**
 * Keeps a draft whose lines are moved on its first outline; null while no lap crosses them. `isTiming` says that the draft is still that of the
 * lines before; `timeNow` gives the one of the lines that are shown.
 */
export function useDraft(maker: TrackMaker, first: DraftTrack) {
  const path: Path = useMemo(
    () => ({ outline: first.track.outline ?? [], isOpen: Boolean(first.track.finishLine) }),
    [first],
  );
  const [lines, setLines] = useState<TrackLines>(() => pickTrackLines(first.track));
  const [timed, setTimed] = useState<Timed>({ lines, draft: first });
  const settled = useDebounced(lines, TIMING_DELAY_MS);
  useEffect(() => {
    let isCurrent = true;
    const show = (draft: DraftTrack | null) => {
      if (isCurrent) setTimed({ lines: settled, draft });
    };
    maker
      .time(removeLinesOutsideRun(path, settled))
      .then(show)
      .catch(() => show(null));
    return () => {
      isCurrent = false;
    };
  }, [maker, path, settled]);
  const isTiming = timed.lines !== lines;
  const timeNow = async () => (isTiming ? await maker.time(removeLinesOutsideRun(path, lines)) : timed.draft);
  return { path, lines, setLines, draft: timed.draft, isTiming, timeNow };
}

/** Returns the lines of a track with a start/finish line. */
export function pickTrackLines({ startFinishLine, finishLine = null, sectors }: Track): TrackLines {
  if (startFinishLine === null) throw new Error('A draft has a line.');
  return { startFinishLine, finishLine, sectors };
}
