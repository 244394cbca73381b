import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatDuration } from '#web/ui/format.ts';
import { Progress } from '#web/ui/progress.tsx';
import { Switch } from '#web/ui/switch.tsx';
import type { LapMap } from '../shown-laps.ts';
import type { ClipSide } from './clip-plan.ts';
import styles from './video-panel.module.css';

type ExportClipProps = {
  sides: readonly ClipSide[];
  map: LapMap;
  framesPerSecond: number;
  onClose: () => void;
};

type State =
  | { kind: 'ready' }
  | { kind: 'running'; share: number; leftMs: number | null }
  | { kind: 'done'; url: string | null }
  | { kind: 'failed'; sentence: string };

/** Makes a video of the lap with time, gap, speed, map and sectors drawn in; everything happens on this device. */
export function ExportClip({ sides, map, framesPerSecond, onClose }: ExportClipProps) {
  const [hasSound, setHasSound] = useState(false);
  const { state, start, cancel } = useClip({ sides, map, framesPerSecond, hasSound });
  return (
    <Dialog title="Export as Video" onClose={onClose}>
      <div className={common['list']}>
        {canEncode() ? (
          <p className={common['note']}>
            {sides.length > 1 ? 'Both laps side by side at the same place' : 'The lap'} with time
            {sides.some(({ hasGap }) => hasGap) && ', gap'}, speed, map and sectors drawn in. It is made on
            this device, and nothing is sent.
          </p>
        ) : (
          <p>{NO_ENCODER}</p>
        )}
        {canEncode() && state.kind !== 'running' && (
          <Switch
            label={`With the sound of the ${sides.length > 1 ? 'left video' : 'video'}`}
            checked={hasSound}
            onChange={({ target }) => setHasSound(target.checked)}
          />
        )}
        <ExportState state={state} name={nameClip(sides)} onCancel={cancel} />
        {canEncode() && state.kind !== 'running' && (
          <Button variant="primary" onClick={() => void start()}>
            Make the Video
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const FRAMES_PER_SECOND_MAX = 30;

type ClipChoices = Omit<ExportClipProps, 'onClose'> & { hasSound: boolean };

/** Makes the clip when it is started, until it is done, fails or is cancelled; a closed dialog cancels it. */
function useClip({ sides, map, framesPerSecond, hasSound }: ClipChoices) {
  const [state, setState] = useState<State>({ kind: 'ready' });
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);
  const url = state.kind === 'done' ? state.url : null;
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  const start = async () => {
    running.current = new AbortController();
    const { signal } = running.current;
    try {
      const file = await chooseFile(nameClip(sides));
      if (file === 'cancelled') return;
      setState({ kind: 'running', share: 0, leftMs: null });
      const { makeClip } = await import('./make-clip.ts');
      const rate = Math.min(FRAMES_PER_SECOND_MAX, Math.max(1, Math.round(framesPerSecond)));
      const blob = await makeClip({
        sides,
        map,
        file,
        signal,
        hasSound,
        framesPerSecond: rate,
        onProgress: startProgress((progress) => setState({ kind: 'running', ...progress })),
      });
      setState({ kind: 'done', url: blob && URL.createObjectURL(blob) });
    } catch (error) {
      if (signal.aborted) setState({ kind: 'ready' });
      else setState({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) });
    }
  };
  return { state, start, cancel: () => running.current.abort() };
}

type Progressing = { share: number; leftMs: number | null };

/** The first frames take longer, because the encoder begins. */
const ESTIMATED_AFTER_MS = 3_000;
/** Pages that show more often take time from the encoder. */
const SHOWN_EVERY_MS = 200;

/** Returns what takes the shares: it shows them some times a second, with how long the rest lasts at the pace so far. */
function startProgress(show: (progress: Progressing) => void): (share: number) => void {
  const startMs = performance.now();
  let shownMs = startMs;
  return (share) => {
    const nowMs = performance.now();
    if (share < 1 && nowMs - shownMs < SHOWN_EVERY_MS) return;
    shownMs = nowMs;
    const lastedMs = nowMs - startMs;
    const leftMs = lastedMs > ESTIMATED_AFTER_MS ? (lastedMs * (1 - share)) / share : null;
    show({ share, leftMs });
  };
}

function describeRest({ share, leftMs }: Progressing): string {
  const done = `${Math.floor(100 * share)} %`;
  return leftMs === null ? done : `${done}, about ${formatDuration(leftMs)} left`;
}

const NO_ENCODER =
  'This browser cannot make videos. Use Chrome or Edge, Safari from version 16.4 on, or Firefox on a computer.';

function canEncode(): boolean {
  return 'VideoEncoder' in window && 'VideoDecoder' in window;
}

function ExportState({ state, name, onCancel }: { state: State; name: string; onCancel: () => void }) {
  if (state.kind === 'running') {
    return (
      <>
        <Progress label="Making the video" share={state.share} />
        <p className={common['note']}>{describeRest(state)}</p>
        <Button onClick={onCancel}>Cancel</Button>
      </>
    );
  }
  if (state.kind === 'failed') {
    return (
      <p role="alert" className={styles['problem']}>
        {state.sentence}
      </p>
    );
  }
  if (state.kind !== 'done') return null;
  return (
    <output>
      The video is ready.{' '}
      {state.url === null ? (
        'It is in the file that you chose.'
      ) : (
        <a href={state.url} download={name}>
          Save the Video
        </a>
      )}
    </output>
  );
}

function nameClip(sides: readonly ClipSide[]): string {
  return `${sides.map(({ name }) => name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()).join('-and-')}.mp4`;
}

type SavePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/** Asks where to write the clip; null where the browser cannot write files as they are made. */
async function chooseFile(suggestedName: string): Promise<FileSystemWritableFileStream | 'cancelled' | null> {
  const picker: SavePicker | undefined = Reflect.get(window, 'showSaveFilePicker');
  if (!picker) return null;
  try {
    return await (await picker.call(window, { suggestedName })).createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
    throw error;
  }
}
