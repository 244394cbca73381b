import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { describeError } from '#web/api/api-error.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { pluralize } from '#web/ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { lineAt, REACH_METERS, type TrackLines, type Way } from './edit-lines.ts';
import styles from './new-track.module.css';
import { TrackEditor } from './track-editor.tsx';
import { nearbyQuery } from './track-queries.ts';

type CorrectLinesProps = {
  /** Null while the dialog is closed. */
  trackId: string | null;
  onClose: () => void;
};

/** Moves the lines of a track of the library on its map; its laps are timed again afterwards. */
export function CorrectLines({ trackId, onClose }: CorrectLinesProps) {
  const {
    data: track,
    isError,
    refetch,
  } = useQuery({
    ...apiQuery('GET /api/tracks/:trackId', { params: { trackId: trackId ?? '' } }),
    enabled: trackId !== null,
    // Somebody else may have corrected it.
    staleTime: 0,
  });
  const [lines, setLines] = useState<{ trackId: string; lines: TrackLines } | null>(null);
  const changed = lines !== null && lines.trackId === trackId ? lines.lines : null;
  const { save, isSaving, failure } = useSaving(() => close());

  function close(): void {
    setLines(null);
    onClose();
  }

  return (
    <Dialog
      open={trackId !== null}
      title="Edit Lines"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="primary"
            pending={isSaving}
            disabled={changed === null}
            onClick={() => track && changed && void save(track, changed)}
          >
            Save Lines
          </Button>
        </>
      }
    >
      {isError && <FailedState title="The track could not be loaded." onRetry={() => void refetch()} />}
      {!isError && !track && <LoadingState>Loading the track...</LoadingState>}
      {track && !track.outline && (
        <EmptyState title="No outline">Lines are moved on an outline, which this track lacks.</EmptyState>
      )}
      {track?.outline && (
        <LinesOnMap
          track={track}
          lines={changed}
          onChange={(next) => setLines({ trackId: track.id, lines: next })}
        />
      )}
      {failure !== undefined && (
        <p role="alert" className={styles['failure']}>
          {failure}
        </p>
      )}
    </Dialog>
  );
}

type LinesOnMapProps = {
  track: Track;
  /** Null until the first change. */
  lines: TrackLines | null;
  onChange: (lines: TrackLines) => void;
};

function LinesOnMap({ track, lines, onChange }: LinesOnMapProps) {
  const way = useMemo(() => wayOfTrack(track), [track]);
  const { data: near } = useQuery(nearbyQuery(track));
  const others = (near?.tracks ?? []).flatMap(({ id, outline, finishLine }) =>
    outline === null || id === track.id ? [] : [{ id, outline, isClosed: !finishLine }],
  );
  return (
    <div className={styles['form']}>
      <TrackEditor
        {...{ way, others }}
        lines={lines ?? linesOnWay(track, way)}
        tiles={near?.mapTiles ?? null}
        onChange={onChange}
        sectorsMax={LIMITS.sectorsMax}
      />
      <p className={styles['lead']}>
        All laps on this track are timed again on the new lines. They keep their links.
      </p>
    </div>
  );
}

/** The closing point of a circuit is its first one. */
function wayOfTrack({ outline, finishLine }: Track): Way {
  const isOpen = Boolean(finishLine);
  const points = outline ?? [];
  const [first, last] = [points[0], points.at(-1)];
  const repeats = !isOpen && first?.[0] === last?.[0] && first?.[1] === last?.[1];
  return { outline: repeats ? points.slice(0, -1) : points, isOpen };
}

/** A track without a line gets one where its outline begins. */
function linesOnWay({ startFinishLine, finishLine = null, sectors }: Track, way: Way): TrackLines {
  const { usual } = REACH_METERS;
  const pose = { index: 0, leftMeters: usual, rightMeters: usual, skewDegrees: 0, isReverse: false };
  return { startFinishLine: startFinishLine ?? lineAt(way, pose), finishLine, sectors };
}

function useSaving(onSaved: () => void) {
  const queryClient = useQueryClient();
  const [{ isSaving, failure }, setOutcome] = useState<{ isSaving: boolean; failure?: string }>({
    isSaving: false,
  });

  async function save(
    { id, name }: Track,
    { startFinishLine, finishLine, sectors }: TrackLines,
  ): Promise<void> {
    if (isSaving) return;
    setOutcome({ isSaving: true });
    try {
      const { sessionsToRetime } = await callApi('PATCH /api/admin/tracks/:trackId', {
        params: { trackId: id },
        body: { startFinishLine, finishLine, sectors: [...sectors] },
      });
      await refresh(['tracks', 'nearby-tracks', 'laps', 'admin'], queryClient);
      const retimed =
        sessionsToRetime > 0 ? ` ${pluralize(sessionsToRetime, 'session')} will be timed again.` : '';
      showToast({ title: 'Lines Saved', description: `The lines of ${name} are corrected.${retimed}` });
      setOutcome({ isSaving: false });
      onSaved();
    } catch (error) {
      setOutcome({ isSaving: false, failure: describeError(error) });
    }
  }

  return { save, isSaving, failure };
}
