import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import ChevronsLeft from 'lucide-react/icons/chevrons-left';
import ChevronsRight from 'lucide-react/icons/chevrons-right';
import Film from 'lucide-react/icons/film';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import Repeat from 'lucide-react/icons/repeat';
import Volume2 from 'lucide-react/icons/volume-2';
import VolumeX from 'lucide-react/icons/volume-x';
import { IconButton } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import type { VideoDeck } from './video-deck.ts';
import styles from './video-panel.module.css';
import type { VideoActions } from './video-panel.tsx';

type VideoControlsProps = {
  deck: VideoDeck;
  actions: VideoActions;
  isMuted: boolean;
  onMute: () => void;
  /** Absent where no video of the reader is in step. */
  onExport: (() => void) | undefined;
  hasVideo: boolean;
};

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.5, 2];
const ICON = { size: 18, 'aria-hidden': true } as const;

/** Shows what leads all videos at once. */
export function VideoControls({ deck, actions, isMuted, onMute, onExport, hasVideo }: VideoControlsProps) {
  if (!hasVideo) return null;
  return (
    <div className={styles['controls']} role="toolbar" aria-label="Video controls">
      <IconButton
        size="small"
        label={deck.isPlaying ? 'Pause' : 'Play'}
        icon={deck.isPlaying ? <Pause {...ICON} /> : <Play {...ICON} />}
        aria-keyshortcuts="Space"
        variant="primary"
        onClick={actions.toggle}
      />
      <StepButtons actions={actions} />
      <SpeedSelect deck={deck} />
      <IconButton
        size="small"
        label="Loop this stretch"
        icon={<Repeat {...ICON} />}
        aria-pressed={deck.loop !== null}
        onClick={actions.toggleLoop}
      />
      <IconButton
        size="small"
        label={isMuted ? 'Sound on' : 'Sound off'}
        icon={isMuted ? <VolumeX {...ICON} /> : <Volume2 {...ICON} />}
        onClick={onMute}
      />
      {onExport && (
        <IconButton size="small" label="Export as video" icon={<Film {...ICON} />} onClick={onExport} />
      )}
    </div>
  );
}

function StepButtons({ actions }: { actions: VideoActions }) {
  return (
    <>
      <IconButton
        size="small"
        label="The corner before"
        icon={<ChevronsLeft {...ICON} />}
        aria-keyshortcuts=","
        onClick={() => actions.jump(-1)}
      />
      <IconButton
        size="small"
        label="One frame back"
        icon={<ChevronLeft {...ICON} />}
        aria-keyshortcuts="ArrowLeft Shift+ArrowLeft"
        onClick={() => actions.step(-1)}
      />
      <IconButton
        size="small"
        label="One frame on"
        icon={<ChevronRight {...ICON} />}
        aria-keyshortcuts="ArrowRight Shift+ArrowRight"
        onClick={() => actions.step(1)}
      />
      <IconButton
        size="small"
        label="The next corner"
        icon={<ChevronsRight {...ICON} />}
        aria-keyshortcuts="."
        onClick={() => actions.jump(1)}
      />
    </>
  );
}

function SpeedSelect({ deck }: { deck: VideoDeck }) {
  return (
    <SelectField
      label="Speed"
      hideLabel
      compact
      className={styles['speed']}
      value={deck.speed}
      onChange={({ target }) => deck.setSpeed(Number(target.value))}
    >
      {SPEEDS.map((speed) => (
        <option key={speed} value={speed}>
          {speed}×
        </option>
      ))}
    </SelectField>
  );
}
