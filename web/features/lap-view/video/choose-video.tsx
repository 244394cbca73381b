import Play from 'lucide-react/icons/play';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { DropZone } from '#web/ui/drop-zone.tsx';
import { findMissingCodec, openRecording, type Recording } from './open-recording.ts';
import type { PublicVideo } from './public-video.ts';
import styles from './video-panel.module.css';

type ChooseVideoProps = {
  name: string;
  /** Names the site that the session's link leads to; null where no player of it can be shown. */
  site: PublicVideo['site'] | null;
  onRecording: (recording: Recording) => void;
  onPublic: () => void;
};

/** Takes the files of a recording, or loads the player of the session's link. Nothing is loaded before. */
export function ChooseVideo({ name, site, onRecording, onPublic }: ChooseVideoProps) {
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (files: readonly File[]) => {
    setIsReading(true);
    setProblem(null);
    try {
      const recording = await openRecording(files);
      const missing = findMissingCodec(recording.info);
      if (missing === null) onRecording(recording);
      else setProblem(missing);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setIsReading(false);
  };
  return (
    <div className={styles['choose']} data-adjusting>
      {site && (
        <div className={styles['poster']}>
          <Play size={40} aria-hidden="true" />
          <Button variant="primary" onClick={onPublic}>
            Load the video from {site}
          </Button>
          <p className={common['note']}>
            {site} learns that you watch it. Nothing has been loaded from there yet.
          </p>
        </div>
      )}
      <DropZone
        label={`Video file of ${name}`}
        title={isReading ? 'Reading the video…' : 'Drop the video of this lap'}
        titleWhileOver="Drop it here"
        hint="MP4 or MOV; the chapters of a GoPro together. The file stays on this device."
        browseText="Choose a Video"
        accept=".mp4,.mov,.m4v,video/mp4,video/quicktime"
        multiple
        disabled={isReading}
        isPrimary={site === null}
        onFiles={(files) => void open(files)}
      />
      {problem !== null && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
}
