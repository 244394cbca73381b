import X from 'lucide-react/icons/x';
import { lazy, Suspense, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { TrackId } from '#contract/ids.ts';
import type { TimedPlaces } from '#engine/video/timed-places.ts';
import { formatDisplayName } from '#contract/people/labels.ts';
import { Card } from '#web/ui/card.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { LapCursor } from '../lap-cursor.ts';
import { entry } from '../lap-lines.ts';
import type { LapSectors } from '../sector-cells.tsx';
import { isWithin, type LapMap, type ShownLap } from '../shown-laps.ts';
import type { ClipSide } from './clip-plan.ts';
import { useDeck } from './use-deck.ts';
import type { Loop, VideoDeck } from './video-deck.ts';
import { VideoControls } from './video-controls.tsx';
import styles from './video-panel.module.css';
import { VideoScreen } from './video-screen.tsx';

// Brings an encoder, which few readers need.
const ExportClip = lazy(async () => ({ default: (await import('./export-clip.tsx')).ExportClip }));

type VideoPanelProps = {
  trackId: TrackId;
  /** The laps whose videos are shown; the first one in step leads. */
  laps: readonly ShownLap[];
  /** The sector times of these laps, and maybe of others. */
  sectors: readonly LapSectors[];
  map: LapMap;
  cursor: LapCursor;
  onClose: () => void;
};

/** Shows the videos of one lap or two beside the charts: the picture follows the cursor, and the cursor the picture. */
export function VideoPanel({ trackId, laps, sectors, map, cursor, onClose }: VideoPanelProps) {
  const deck = useDeck(map, cursor);
  const [isMuted, setIsMuted] = useState(true);
  const places = useTimedPlaces(laps, map);
  const [isExporting, setIsExporting] = useState(false);
  const { user } = useCurrentUser();
  const clipSides = listClipSides(deck, { laps, sectors }, user ? formatDisplayName(user) : 'You');
  const actions = useActions(deck, map, cursor);
  const panel = useRef<HTMLDivElement>(null);
  useKeys(panel, actions);
  return (
    <Card as="section" padded={false} aria-label="Video" className={styles['card']}>
      <div ref={panel} className={styles['panel']} tabIndex={-1}>
        <div className={styles['head']}>
          <h2>Video</h2>
          <IconButton size="small" label="Close the video" icon={<X size={18} />} onClick={onClose} />
        </div>
        <div className={styles['screens']} data-count={laps.length}>
          {laps.map((lap, index) => {
            const timed = places[index];
            return (
              timed && (
                <VideoScreen
                  key={lap.lapId}
                  {...{ trackId, lap, deck, index, isMuted }}
                  places={timed}
                  here={entry(map.meters, cursor.index)}
                  onReady={() => panel.current?.focus({ preventScroll: true })}
                />
              )
            );
          })}
        </div>
        <VideoControls
          {...{ deck, actions, isMuted }}
          onMute={() => setIsMuted(!isMuted)}
          onExport={clipSides.length > 0 ? () => setIsExporting(true) : undefined}
          hasVideo={laps.some((_, index) => deck.side(index) !== null)}
        />
      </div>
      {isExporting && (
        <Suspense fallback={null}>
          <ExportClip
            {...{ map }}
            sides={clipSides}
            framesPerSecond={deck.side(0)?.recording?.info.framesPerSecond ?? 30}
            onClose={() => setIsExporting(false)}
          />
        </Suspense>
      )}
    </Card>
  );
}

/** Returns when each lap came by each station. */
function useTimedPlaces(laps: readonly ShownLap[], { meters, elapsedMs }: LapMap): TimedPlaces[] {
  return useMemo(
    () =>
      laps.map(({ gap }) => ({
        meters,
        elapsedMs: elapsedMs.map((elapsed, index) => elapsed + (gap ? entry(gap.gapMs, index) : 0)),
      })),
    [laps, meters, elapsedMs],
  );
}

/** Lists the videos of the reader that are in step: a clip is made of these. Others see it, so it names the reader. */
function listClipSides(
  deck: VideoDeck,
  { laps, sectors }: Pick<VideoPanelProps, 'laps' | 'sectors'>,
  ownName: string,
): ClipSide[] {
  return laps.flatMap(({ lapId, name, isYou, speedsKmh, gap }, index) => {
    const { clock, places, lapStartMs, recording } = deck.side(index) ?? {};
    if (!clock || !places || lapStartMs === undefined || !recording) return [];
    const shown = { name: isYou ? ownName : name, hasGap: gap !== null };
    const sectorTimesMs = sectors.find((lap) => lap.lapId === lapId)?.sectorTimesMs ?? [];
    const { chapters } = recording;
    return [{ ...shown, speedsKmh, sectorTimesMs, clock, places, lapStartMs, chapters }];
  });
}

export type VideoActions = {
  toggle: () => void;
  step: (frames: 1 | -1) => void;
  /** Goes to the next corner, or to the one before. */
  jump: (direction: 1 | -1) => void;
  toggleLoop: () => void;
};

/** A corner that begins nearer than this is the one that the reader is at. */
const AT_CORNER_METERS = 3;

function useActions(deck: VideoDeck, map: LapMap, cursor: LapCursor): VideoActions {
  const here = entry(map.meters, cursor.index);
  return {
    toggle: () => (deck.isPlaying ? deck.pause() : deck.play()),
    step: (frames) => deck.stepFrame(frames),
    jump: (direction) => {
      const starts = [0, ...map.corners.map(({ startMeters }) => startMeters)];
      const next = starts.find((start) => start > here + AT_CORNER_METERS);
      const before = starts.findLast((start) => start < here - AT_CORNER_METERS);
      const target = direction === 1 ? next : before;
      if (target !== undefined) cursor.moveTo(target);
    },
    toggleLoop: () => deck.setLoop(deck.loop ? null : findLoop(map, cursor)),
  };
}

/** Loops what the charts show where they are zoomed, else the straight or corner under the cursor. */
function findLoop({ meters, stretches }: LapMap, { range, isZoomed, index }: LapCursor): Loop | null {
  if (isZoomed) return { fromMeters: range[0], toMeters: range[1] };
  const stretch = stretches.find((one) => isWithin(entry(meters, index), one));
  return stretch ? { fromMeters: stretch.startMeters, toMeters: stretch.endMeters } : null;
}

/** Marks the slider of the charts, from which the keys of the video work as well. */
const CHART_SLIDER = '[data-lap-slider]';

/** Obeys the keys of editors of video while the focus is in the panel or on the slider of the charts. */
function useKeys(panel: RefObject<HTMLElement | null>, actions: VideoActions): void {
  useEffect(() => {
    const obey = (event: KeyboardEvent) => {
      const { target } = event;
      if (!(target instanceof HTMLElement) || event.ctrlKey || event.altKey || event.metaKey) return;
      const isOnSlider = target.matches(CHART_SLIDER);
      if (!isOnSlider && !panel.current?.contains(target)) return;
      const act = findAction(event, target, isOnSlider, actions);
      if (!act) return;
      event.preventDefault();
      // The slider has arrows of its own.
      event.stopPropagation();
      act();
    };
    document.addEventListener('keydown', obey, { capture: true });
    return () => document.removeEventListener('keydown', obey, { capture: true });
  });
}

/**
 * Finds what a key does. A focused field or button keeps its own keys. On the slider arrows move along the lap as always, and frames are
 * stepped with Shift.
 */
function findAction(
  { key, shiftKey }: KeyboardEvent,
  target: HTMLElement,
  isOnSlider: boolean,
  { toggle, step, jump }: VideoActions,
): (() => void) | undefined {
  const isField = target.matches('input, select, textarea');
  const keys: Record<string, () => void> = {
    ...((isOnSlider || (!isField && !target.matches('button, a, summary'))) && { ' ': toggle }),
    ...((isOnSlider ? shiftKey : !isField) && { ArrowRight: () => step(1), ArrowLeft: () => step(-1) }),
    ',': () => jump(-1),
    '.': () => jump(1),
  };
  return keys[key];
}
