import Check from 'lucide-react/icons/check';
import Navigation from 'lucide-react/icons/navigation';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import { describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { isKept, keepsTracks } from './kept-tracks.ts';
import styles from './take-along.module.css';

type State = 'unknown' | 'free' | 'busy' | 'kept';

/** Keeps a track in this browser, for drives without a network. */
export function TakeAlong({ trackId }: { trackId: TrackId }) {
  const [state, setState] = useState<State>('unknown');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    void isKept(trackId).then((kept) => setState(kept ? 'kept' : 'free'));
  }, [trackId]);

  async function take(): Promise<void> {
    if (!keepsTracks()) return setProblem('Open this page over HTTPS: otherwise your browser keeps nothing.');
    setState('busy');
    setProblem('');
    try {
      const { takeAlong } = await import('./fetch-track.ts');
      await takeAlong(trackId);
      setState('kept');
    } catch (error) {
      setState('free');
      setProblem(describeError(error, 'The track could not be taken along. Please try again.'));
    }
  }

  return (
    <div className={styles['row']}>
      {state === 'kept' ? (
        <output className={styles['kept']}>
          <Check size={16} aria-hidden="true" /> Taken along. <Link href="/drive">Drive here</Link>
        </output>
      ) : (
        <Button size="small" pending={state === 'busy'} onClick={() => void take()}>
          <Navigation size={16} aria-hidden="true" /> Take this track along
        </Button>
      )}
      {problem !== '' && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
}
