import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { pluralize } from '#web/ui/format.ts';
import { EmptyState, Failure, QueryState } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { lineAt, REACH_METERS, type TrackLines, type Path } from './edit-lines.ts';
import common from '#web/ui/common.module.css';
import { TrackEditor } from './track-editor.tsx';
import { nearbyQuery } from './track-queries.ts';

/** Moves the lines of a track of the library on its map; its laps are timed again afterwards. */
export function CorrectLines({ trackId, onClose }: { trackId: TrackId; onClose: () => void }) {
  const stored = useQuery({
    ...apiQuery('GET /api/tracks/:trackId', { params: { trackId } }),
    // Another user may have corrected the track in the meantime.
    staleTime: 0,
  });
  const track = stored.data;
  // The value is null until the first change.
  const [lines, setLines] = useState<TrackLines | null>(null);
  const { run, isBusy, sentence } = useCall('PATCH /api/admin/tracks/:trackId', {
    success: ({ track: { name }, sessionsToRetime }) => ({
      title: 'Lines Saved',
      description: `The lines of ${name} are corrected.${describeRetiming(sessionsToRetime)}`,
    }),
    onDone: onClose,
  });

  function save(): void {
    if (lines === null) return;
    const { startFinishLine, finishLine, sectors } = lines;
    void run({ params: { trackId }, body: { startFinishLine, finishLine, sectors: [...sectors] } });
  }

  return (
    <Dialog
      title="Edit Lines"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" pending={isBusy} disabled={lines === null} onClick={save}>
            Save Lines
          </Button>
        </>
      }
    >
      <QueryState noun="track" query={stored} />
      {track && !track.outline && (
        <EmptyState title="No outline">Lines are moved on an outline, which this track lacks.</EmptyState>
      )}
      {track?.outline && <LinesOnMap track={track} lines={lines} onChange={setLines} />}
      <Failure>{sentence}</Failure>
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
  const path = useMemo(() => getTrackPath(track), [track]);
  const { data: near } = useQuery(nearbyQuery(track));
  const others = (near?.tracks ?? []).flatMap(({ id, outline, finishLine }) =>
    outline === null || id === track.id ? [] : [{ id, outline, isClosed: !finishLine }],
  );
  return (
    <div className={common['stack']}>
      <TrackEditor
        {...{ path, others }}
        lines={lines ?? getTrackLines(track, path)}
        tiles={near?.mapTiles ?? null}
        onChange={onChange}
        sectorsMax={LIMITS.sectorsMax}
      />
      <p className={common['lead']}>
        All laps on this track are timed again on the new lines. They keep their links.
      </p>
    </div>
  );
}

/** Returns the path of a track. The closing point of a circuit is its first one. */
function getTrackPath({ outline, finishLine }: Track): Path {
  const isOpen = Boolean(finishLine);
  const points = outline ?? [];
  const [first, last] = [points[0], points.at(-1)];
  const repeats = !isOpen && first?.[0] === last?.[0] && first?.[1] === last?.[1];
  return { outline: repeats ? points.slice(0, -1) : points, isOpen };
}

/** Returns the lines of a track; a track without a line gets one at the start of its outline. */
function getTrackLines({ startFinishLine, finishLine = null, sectors }: Track, path: Path): TrackLines {
  const { usual } = REACH_METERS;
  const pose = { index: 0, leftMeters: usual, rightMeters: usual, skewDegrees: 0, isReverse: false };
  return { startFinishLine: startFinishLine ?? lineAt(path, pose), finishLine, sectors };
}

function describeRetiming(sessionCount: number): string {
  return sessionCount > 0 ? ` ${pluralize(sessionCount, 'session')} will be timed again.` : '';
}
