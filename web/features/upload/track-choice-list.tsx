import { Badge } from '#web/ui/badge.tsx';
import { formatDistance } from '#web/ui/format.ts';
import { focusInDialog } from '#web/ui/modals.ts';
import { TrackOrigins } from '#web/ui/track-origin.tsx';
import { chooseTrack } from './process-files.ts';
import type { TrackChoice } from './track-choices.ts';
import styles from './track-choice-list.module.css';
import { TrackRow } from './track-row.tsx';
import { useUpload } from './use-upload.ts';

type TrackChoiceListProps = { choices: readonly TrackChoice[]; focusesFirst?: boolean };

/** Shows tracks, each with its match or its distance; a press chooses it. */
export function TrackChoiceList({ choices, focusesFirst = false }: TrackChoiceListProps) {
  const upload = useUpload();
  return (
    <>
      <ul className={styles['list']}>
        {choices.map(({ track, confidencePct, awayKm }, index) => (
          <li key={track.id}>
            <button
              type="button"
              className={styles['choice']}
              ref={focusesFirst && index === 0 ? focusInDialog : undefined}
              onClick={() => void chooseTrack(upload, track.id)}
            >
              <TrackRow track={track}>
                {confidencePct !== null && (
                  <Badge tone={confidencePct >= GOOD_MATCH_PCT ? 'pb' : 'warn'}>
                    {Math.round(confidencePct)}% Match
                  </Badge>
                )}
                {awayKm !== null && awayKm <= NEAR_KM && (
                  <Badge>{awayKm < 2 ? 'Here' : `${formatDistance(1000 * awayKm)} away`}</Badge>
                )}
              </TrackRow>
            </button>
          </li>
        ))}
      </ul>
      <TrackOrigins tracks={choices.map(({ track }) => track)} />
    </>
  );
}

/** Tracks at a greater distance show none. */
const NEAR_KM = 1000;

/** A match below this is shown as uncertain. */
const GOOD_MATCH_PCT = 75;
